#include "node.h"

#include <fcntl.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

#include <algorithm>
#include <cstdio>
#include <string_view>
#include <vector>

#include "../file_io.h"
#include "front_names.h"
#include "platform.h"

extern char** environ;

namespace gates::front {

namespace {

constexpr size_t kChunk = size_t{1} << 16;

/** @returns what read(2) says, once there is something to say */
ssize_t readSome(int from, char* bytes, size_t size) {
  for (;;) {
    const ssize_t got = ::read(from, bytes, size);
    if (got >= 0 || (errno != EINTR && errno != EAGAIN)) return got;
    struct pollfd waited{from, POLLIN, 0};
    if (errno == EAGAIN) ::poll(&waited, 1, -1);
  }
}

/** What was read, and the rest of standard input behind it. */
bool copyInput(const Input& input, int to) {
  if (!writeAll(to, bytesOf(input.bytes), "write", "").ok()) return false;
  char chunk[kChunk];
  while (!input.isWhole) {
    const ssize_t got = readSome(STDIN_FILENO, chunk, sizeof chunk);
    if (got <= 0) return true;
    if (!writeAll(to, {reinterpret_cast<const uint8_t*>(chunk), static_cast<size_t>(got)}, "write", "").ok()) return false;
  }
  return true;
}

/** Where there are no nameless files: a child writes, so that neither waits for the other. */
bool pipeInput(const Input& input) {
  int ends[2];
  if (::pipe(ends) != 0) return false;
  const pid_t child = ::fork();
  if (child == 0) {
    ::close(ends[0]);
    copyInput(input, ends[1]);
    ::_exit(0);
  }
  ::close(ends[1]);
  const bool isGiven = child > 0 && ::dup2(ends[0], STDIN_FILENO) >= 0;
  ::close(ends[0]);
  return isGiven;
}

/** Makes standard input what it was before it was read. */
bool giveBack(const Input& input) {
  if (input.bytes.empty()) return true;
  if (::lseek(STDIN_FILENO, -static_cast<off_t>(input.bytes.size()), SEEK_CUR) >= 0) return true;
  const Fd file = namelessFile();
  if (!file.isOpen()) return pipeInput(input);
  return copyInput(input, file.get()) && ::lseek(file.get(), 0, SEEK_SET) == 0 && ::dup2(file.get(), STDIN_FILENO) >= 0;
}

bool isProgram(const std::string& path) { return !path.empty() && path[0] == '/' && ::access(path.c_str(), X_OK) == 0; }

/** The Node that the build was made for: nodegit loads in no other. Else the one on PATH. */
std::string findNode(const std::string& package) {
  const Fd file = openRetrying(AT_FDCWD, (package + "/dist/node-path").c_str(), O_RDONLY);
  std::string recorded;
  if (file.isOpen() && readAll(file.get(), 4096, recorded, "read", "node-path").ok()) {
    recorded.resize(std::min(recorded.find('\n'), recorded.size()));
    if (isProgram(recorded)) return recorded;
  }
  const char* path = ::getenv("PATH");
  std::string_view rest = path == nullptr ? "" : path;
  while (!rest.empty()) {
    const size_t end = std::min(rest.find(':'), rest.size());
    const std::string node = std::string(rest.substr(0, end)) + "/node";
    if (isProgram(node)) return node;
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  return "";
}

/** @param ours `<name>=<value>`, of names that nobody else may set */
std::vector<char*> ownEnvironment(std::vector<std::string>& ours) {
  std::vector<char*> kept;
  for (std::string& each : ours) kept.push_back(each.data());
  for (char** each = environ; *each != nullptr; each++) {
    const std::string_view entry = *each;
    const std::string_view name = entry.substr(0, entry.find('='));
    if (name != "NODE_OPTIONS" && name != "NODE_EXTRA_CA_CERTS" && name != kSpentName && name != kScanName) kept.push_back(*each);
  }
  kept.push_back(nullptr);
  return kept;
}

int letThrough(const char* why) {
  std::fprintf(stderr, "gstack-hook: %s\n", why);
  return 0;
}

}  // namespace

Input readInput() {
  Input input;
  const size_t limit = static_cast<size_t>(kPayloadLimitBytes);
  input.bytes.reserve(kChunk);
  char chunk[kChunk];
  while (input.bytes.size() <= limit) {
    const ssize_t got = readSome(STDIN_FILENO, chunk, sizeof chunk);
    input.isWhole = got == 0;
    if (got <= 0) return input;
    input.bytes.append(chunk, static_cast<size_t>(got));
  }
  return input;
}

int becomeNode(int argc, char** argv, const Input& input, const Deadline& deadline, TreeLook* left) {
  const std::string own = ownPath();
  const size_t folder = own.rfind('/');
  const size_t parent = folder == own.npos || folder == 0 ? own.npos : own.rfind('/', folder - 1);
  if (parent == own.npos) return letThrough("its own folder cannot be told");
  const std::string package = own.substr(0, parent);
  std::string bundle = package + "/dist/hook.js";
  if (::access(bundle.c_str(), R_OK) != 0)
    return letThrough("the build is missing; run ./setup in the folder of gstack-skill-gates");
  std::string node = findNode(package);
  if (node.empty()) return letThrough("there is no Node on PATH, and the one of the build is gone; run ./setup again");
  if (!giveBack(input)) return letThrough("its input could not be handed on");

  // The path of the bundle holds no link, which Node would look for folder by folder.
  std::string noLinks = "--preserve-symlinks-main";
  std::vector<char*> arguments{node.data(), noLinks.data(), bundle.data()};
  for (int i = 1; i < argc; i++) arguments.push_back(argv[i]);
  arguments.push_back(nullptr);
  std::vector<std::string> ours{std::string(kSpentName) + "=" + std::to_string(deadline.spentMs())};
  pid_t scanner = 0;
  const int scan = left == nullptr ? -1 : left->goOn(scanner);
  if (scan >= 0) ours.push_back(std::string(kScanName) + "=" + std::to_string(scan) + ":" + std::to_string(scanner));
  ::execve(node.c_str(), arguments.data(), ownEnvironment(ours).data());
  return letThrough("Node could not be started; run ./setup again");
}

}  // namespace gates::front
