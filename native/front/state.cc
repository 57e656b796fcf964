#include "state.h"

#include <dirent.h>
#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>

#include "../file_io.h"
#include "../tree_path.h"
#include "front_names.h"
#include "platform.h"

namespace gates::front {

namespace {

bool hasDots(std::string_view path) {
  for (size_t at = 0; at <= path.size();) {
    const size_t end = std::min(path.find('/', at), path.size());
    const std::string_view part = path.substr(at, end - at);
    if (part == "." || part == "..") return true;
    at = end + 1;
  }
  return false;
}

/** Opens the folder that holds a path's last name. */
bool enter(const std::string& root, std::string_view path, TreePlace& place, PathKind& parents) {
  parents = PathKind::kUnreachable;
  return openParents(root, path, nullptr, place, parents).ok();
}

/** Opens what a path below the root names, never through a link. */
Fd openBelow(const std::string& root, std::string_view path, int flags) {
  TreePlace place;
  PathKind parents;
  if (!enter(root, path, place, parents) || parents != PathKind::kDirectory) return Fd();
  return openRetrying(place.parent.get(), place.name.c_str(), O_RDONLY | O_NOFOLLOW | flags);
}

Fd openFolder(const std::string& root, std::string_view path) { return openBelow(root, path, O_DIRECTORY); }

bool isWord(std::string_view text) {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    const char lower = static_cast<char>(c | 0x20);
    return lower >= 'a' && lower <= 'z';
  });
}

/** A string of JSON. */
std::string quoted(std::string_view text) {
  constexpr char kHex[] = "0123456789abcdef";
  std::string json = "\"";
  for (const char c : text) {
    const unsigned char byte = static_cast<unsigned char>(c);
    if (c == '"' || c == '\\') json.push_back('\\');
    if (byte >= 0x20) json.push_back(c);
    else json.append("\\u00").append(1, kHex[byte >> 4]).append(1, kHex[byte & 15]);
  }
  return json + "\"";
}

}  // namespace

std::optional<std::string_view> variable(const std::string& name) {
  const char* value = ::getenv(name.c_str());
  return value == nullptr ? std::nullopt : std::optional<std::string_view>(value);
}

std::optional<std::string> stateRoot() {
  std::string named(kDefaultStateRoot);
  for (const std::string_view name : kStateRootNames) {
    const auto value = variable(std::string(name));
    if (!value || value->empty()) continue;
    named = *value;
    break;
  }
  if (named[0] != '/') {
    const auto home = variable("HOME");
    if (!home || home->empty() || home->front() != '/') return std::nullopt;
    named = std::string(*home) + "/" + named;
  }
  return hasDots(named) ? std::nullopt : std::optional<std::string>(named);
}

bool lookInState(const std::string& root, std::string_view path, bool& isThere, struct stat& found) {
  TreePlace place;
  PathKind parents;
  if (!enter(root, path, place, parents)) return false;
  isThere = parents == PathKind::kDirectory &&
            ::fstatat(place.parent.get(), place.name.c_str(), &found, AT_SYMLINK_NOFOLLOW) == 0;
  return isThere || parents == PathKind::kAbsent || (parents == PathKind::kDirectory && errno == ENOENT);
}

Fd openInState(const std::string& root, std::string_view path) {
  // A fifo would hold the open up.
  Fd file = openBelow(root, path, O_NONBLOCK);
  struct stat found{};
  const bool isOurs = file.isOpen() && ::fstat(file.get(), &found) == 0 && S_ISREG(found.st_mode) && found.st_uid == ::geteuid();
  return isOurs ? std::move(file) : Fd();
}

bool isNobodyAtWork(const std::string& root, std::string_view own) {
  bool isThere = false;
  struct stat found{};
  if (!lookInState(root, kInFlightFolder, isThere, found)) return false;
  if (!isThere) return true;
  Fd folder = openFolder(root, kInFlightFolder);
  DIR* listing = folder.isOpen() ? ::fdopendir(folder.get()) : nullptr;
  if (listing == nullptr) return false;
  folder.release();
  bool isEmpty = true;
  errno = 0;
  while (const dirent* entry = ::readdir(listing)) {
    const std::string_view name = entry->d_name;
    if (name != "." && name != ".." && name != own) isEmpty = false;
  }
  isEmpty = isEmpty && errno == 0;
  ::closedir(listing);
  return isEmpty;
}

bool InFlightMark::leave(const std::string& root, std::string_view hook, const Payload& payload) {
  const std::string pid = std::to_string(::getpid());
  const std::string started = ownStart();
  const std::string_view event = *payload.field("hook_event_name");
  if (started.empty() || !isWord(event)) return false;
  folder_ = openFolder(root, kInFlightFolder);
  if (!folder_.isOpen()) return false;

  const auto id = payload.field("tool_use_id");
  const std::string call = id ? ",\"call\":{\"id\":" + quoted(*id) + ",\"transcript\":" + quoted(*payload.field("transcript_path")) + "}" : "";
  const std::string mark = "{\"session\":" + quoted(payload.session()) + ",\"hook\":" + quoted(hook) + ",\"event\":" + quoted(event) +
                           ",\"pid\":" + pid + ",\"startedAt\":" + quoted(started) + call + "}";
  // Under another name first, so that nobody reads a part of it.
  const std::string name = pid + "-" + started + ".json";
  const std::string torn = name + ".0.tmp";
  const Fd file = openRetrying(folder_.get(), torn.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (!file.isOpen()) return false;
  const bool isWritten = writeAll(file.get(), bytesOf(mark), "write", torn).ok() &&
                         ::renameat(folder_.get(), torn.c_str(), folder_.get(), name.c_str()) == 0;
  name_ = isWritten ? name : torn;
  return isWritten;
}

InFlightMark::~InFlightMark() {
  if (!name_.empty()) ::unlinkat(folder_.get(), name_.c_str(), 0);
}

}  // namespace gates::front
