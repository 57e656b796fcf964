#include "facts.h"

#include <sys/stat.h>

#include <algorithm>

#include "../byte_reader.h"
#include "../stat_row.h"
#include "front_names.h"
#include "platform.h"
#include "state.h"
#include "transcript.h"
#include "tree.h"

namespace gates::front {

namespace {

/** Whether a value is what a fact says: a name, and the value or none. @param now finds the value of that name */
template <typename Find>
bool valueHolds(const Fact& fact, Find now) {
  ByteReader reader(fact.body);
  const std::string_view name = reader.text();
  const bool isSet = fact.flags == 1;
  const std::string_view value = isSet ? reader.text() : std::string_view();
  if (!reader.isWhole()) return false;
  const std::optional<std::string_view> found = now(name);
  return isSet ? found == value : !found;
}

/** The stat data that a certificate has of a file. */
struct FileFacts {
  uint64_t dev, ino, size;
  int64_t mtimeNs, ctimeNs;
  uint64_t mode;
};

bool isSame(const FileFacts& then, const struct stat& now, bool onlyIdentity) {
  const uint64_t typeBits = static_cast<uint64_t>(S_IFMT);
  const uint64_t mode = static_cast<uint64_t>(now.st_mode);
  const bool isSameFile = then.dev == static_cast<uint64_t>(now.st_dev) && then.ino == static_cast<uint64_t>(now.st_ino) &&
                          (then.mode & typeBits) == (mode & typeBits);
  if (!isSameFile || onlyIdentity) return isSameFile;
  return then.mode == mode && then.size == static_cast<uint64_t>(now.st_size) && then.mtimeNs == mtimeNsOf(now) &&
         then.ctimeNs == ctimeNsOf(now);
}

bool pathHolds(const Fact& fact, const std::string& root) {
  ByteReader reader(fact.body);
  const std::string path(reader.text());
  const bool isAbsent = (fact.flags & kPathAbsent) != 0;
  FileFacts then{};
  if (!isAbsent) {
    then.dev = reader.u64();
    then.ino = reader.u64();
    then.size = reader.u64();
    then.mtimeNs = static_cast<int64_t>(reader.u64());
    then.ctimeNs = static_cast<int64_t>(reader.u64());
    then.mode = reader.u64();
  }
  if (!reader.isWhole() || path.find('\0') != path.npos) return false;

  bool isThere = false;
  struct stat found{};
  if ((fact.flags & kPathInState) != 0) {
    if (!lookInState(root, path, isThere, found)) return false;
  } else {
    if (path.empty() || path[0] != '/') return false;
    isThere = ((fact.flags & kPathFollowed) != 0 ? ::stat : ::lstat)(path.c_str(), &found) == 0;
    if (!isThere && errno != ENOENT && errno != ENOTDIR) return false;
  }
  if (isAbsent) return !isThere;
  return isThere && isSame(then, found, (fact.flags & kPathIdentity) != 0);
}

bool bootHolds(const Fact& fact) {
  ByteReader reader(fact.body);
  const std::string_view id = reader.text();
  return reader.isWhole() && !id.empty() && id == bootId();
}

/** All but trees. */
bool holds(const Fact& fact, const Payload& payload, const std::string& root) {
  switch (fact.type) {
    case kFactVariable:
      return valueHolds(fact, [](std::string_view name) { return variable(std::string(name)); });
    case kFactField:
      return valueHolds(fact, [&](std::string_view name) { return payload.field(name); });
    case kFactPath:
      return pathHolds(fact, root);
    case kFactTranscript:
      return transcriptHolds(fact, payload);
    case kFactBoot:
      return bootHolds(fact);
    default:
      return false;
  }
}

}  // namespace

bool hold(const Certificate& certificate, const Payload& payload, const std::string& root, const Deadline& deadline,
          std::unique_ptr<TreeLook>& left) {
  const auto& facts = certificate.facts;
  const auto isTree = [](const Fact& fact) { return fact.type == kFactTree; };
  const bool isTrue =
      std::all_of(facts.begin(), facts.end(), [&](const Fact& fact) { return isTree(fact) || holds(fact, payload, root); });
  if (!isTrue) return false;
  return std::all_of(facts.begin(), facts.end(), [&](const Fact& fact) {
    if (!isTree(fact)) return true;
    left = std::make_unique<TreeLook>(fact, root);
    return left->holds(deadline);
  });
}

}  // namespace gates::front
