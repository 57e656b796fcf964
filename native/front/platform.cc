#include "platform.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <climits>
#ifdef __APPLE__
#include <mach-o/dyld.h>
#include <sys/sysctl.h>
#include <sys/time.h>
#else
#include <signal.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#endif

#include "../file_io.h"

namespace gates::front {

#ifdef __APPLE__

std::string ownPath() {
  char named[PATH_MAX];
  uint32_t size = sizeof named;
  char real[PATH_MAX];
  const bool isKnown = ::_NSGetExecutablePath(named, &size) == 0 && ::realpath(named, real) != nullptr;
  return isKnown ? real : "";
}

std::string bootId() {
  struct timeval started{};
  size_t size = sizeof started;
  const bool isKnown = ::sysctlbyname("kern.boottime", &started, &size, nullptr, 0) == 0;
  return isKnown ? std::to_string(started.tv_sec) : "";
}

std::string ownStart() { return "running"; }

Fd namelessFile() { return Fd(); }

bool canEndWithParent() { return false; }
void endWithParent() {}

#else

namespace {

/** Files below /proc have no size, but one read gives them whole. */
std::string readSmall(const char* path) {
  const Fd file = openRetrying(AT_FDCWD, path, O_RDONLY);
  char bytes[4096];
  const ssize_t size = file.isOpen() ? ::read(file.get(), bytes, sizeof bytes) : -1;
  return size > 0 ? std::string(bytes, static_cast<size_t>(size)) : "";
}

}  // namespace

std::string ownPath() {
  char path[PATH_MAX];
  const ssize_t size = ::readlink("/proc/self/exe", path, sizeof path);
  if (size <= 0 || size == sizeof path) return "";
  std::string own(path, static_cast<size_t>(size));
  // A build that ran meanwhile has put another file there.
  constexpr std::string_view kReplaced = " (deleted)";
  const bool isReplaced = own.size() > kReplaced.size() && own.compare(own.size() - kReplaced.size(), own.npos, kReplaced) == 0;
  struct stat found{};
  if (isReplaced && ::stat(own.c_str(), &found) != 0) own.resize(own.size() - kReplaced.size());
  return own;
}

std::string bootId() {
  std::string id = readSmall("/proc/sys/kernel/random/boot_id");
  while (!id.empty() && id.back() == '\n') id.pop_back();
  return id;
}

/** Field 22 of proc(5)'s stat; the name before it may hold anything but ends at the last bracket. */
std::string ownStart() {
  const std::string stat = readSmall("/proc/self/stat");
  size_t at = stat.rfind(')');
  if (at == stat.npos) return "";
  for (int field = 2; field < 22; field++) {
    at = stat.find(' ', at + 1);
    if (at == stat.npos) return "";
  }
  return stat.substr(at + 1, stat.find(' ', at + 1) - at - 1);
}

Fd namelessFile() { return Fd(::memfd_create("payload", MFD_CLOEXEC)); }

bool canEndWithParent() { return true; }
void endWithParent() { ::prctl(PR_SET_PDEATHSIG, SIGKILL); }

#endif

}  // namespace gates::front
