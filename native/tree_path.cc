#include "tree_path.h"

#include <fcntl.h>
#include <strings.h>
#if defined(__linux__) && __has_include(<linux/openat2.h>)
#include <linux/openat2.h>
#include <sys/syscall.h>
#endif

#include "file_io.h"

namespace gates {

namespace {

#ifdef __linux__
/** Only to name things in it: no read permission needed. */
constexpr int kOpenDirectory = O_PATH | O_DIRECTORY | O_NOFOLLOW;
constexpr int kOpenRoot = O_PATH | O_DIRECTORY;
#else
constexpr int kOpenDirectory = O_RDONLY | O_DIRECTORY | O_NOFOLLOW;
constexpr int kOpenRoot = O_RDONLY | O_DIRECTORY;
#endif

#if defined(SYS_openat2)
/**
 * Opens all parents in one call, none of them through a link. Nothing is opened where the kernel does not know the call or
 * one of them is no directory: walking tells which.
 */
Fd openAtOnce(int root, std::string_view parents) {
  struct open_how how {};
  how.flags = kOpenDirectory | O_CLOEXEC;
  how.resolve = RESOLVE_BENEATH | RESOLVE_NO_SYMLINKS | RESOLVE_NO_MAGICLINKS;
  const std::string path(parents);
  return Fd(static_cast<int>(::syscall(SYS_openat2, root, path.c_str(), &how, sizeof how)));
}
#else
Fd openAtOnce(int, std::string_view) { return {}; }
#endif

bool isProcessError(int error) { return error == EMFILE || error == ENFILE || error == ENOMEM; }

PathKind kindOfError(int error) { return error == ENOENT ? PathKind::kAbsent : PathKind::kUnreachable; }

bool isSafeName(std::string_view name) {
  if (name.empty() || name == "." || name == "..") return false;
  return name.size() != 4 || ::strncasecmp(name.data(), ".git", 4) != 0;
}

bool isSafePath(std::string_view path) {
  if (path.find('\0') != std::string_view::npos) return false;
  for (;;) {
    const size_t slash = path.find('/');
    if (!isSafeName(path.substr(0, slash))) return false;
    if (slash == std::string_view::npos) return true;
    path.remove_prefix(slash + 1);
  }
}

}  // namespace

Status openRoot(const std::string& root, Fd& fd) {
  fd = openRetrying(AT_FDCWD, root.c_str(), kOpenRoot);
  return fd.isOpen() ? Status{} : failErrno("open", root);
}

Status openChild(int parent, const char* name, Fd& fd, PathKind& kind) {
  fd = openRetrying(parent, name, kOpenDirectory);
  kind = fd.isOpen() ? PathKind::kDirectory : kindOfError(errno);
  return !fd.isOpen() && isProcessError(errno) ? failErrno("openat", name) : Status{};
}

Row statChild(int parent, const char* name, const ScanClock& clock) {
  struct stat status{};
  if (::fstatat(parent, name, &status, AT_SYMLINK_NOFOLLOW) == 0) return clock.rowOf(status);
  return emptyRow(kindOfError(errno));
}

Status openParents(const std::string& root, std::string_view path, MadeDirectories* made, TreePlace& place,
                   PathKind& kind) {
  place.path = path;
  kind = PathKind::kDirectory;
  if (!isSafePath(path)) return fail(EINVAL, "path", path);
  if (Status status = openRoot(root, place.parent); !status.ok()) return status;
  place.clock = ScanClock::start(place.parent.get());
  const size_t last = path.rfind('/');
  if (last != std::string_view::npos) {
    if (Fd parent = openAtOnce(place.parent.get(), path.substr(0, last)); parent.isOpen()) {
      std::swap(place.parent, parent);
      path.remove_prefix(last + 1);
    }
  }
  for (size_t slash = path.find('/'); slash != std::string_view::npos; slash = path.find('/')) {
    const std::string name(path.substr(0, slash));
    path.remove_prefix(slash + 1);
    Fd child;
    if (Status status = openChild(place.parent.get(), name.c_str(), child, kind); !status.ok()) return status;
    const bool isWanted = kind == PathKind::kAbsent && made != nullptr;
    const bool isMade = isWanted && ::mkdirat(place.parent.get(), name.c_str(), 0777) == 0;
    if (isWanted && !isMade && errno != EEXIST) return failErrno("mkdirat", place.path);
    if (isWanted) {
      if (Status status = openChild(place.parent.get(), name.c_str(), child, kind); !status.ok()) return status;
    }
    if (kind != PathKind::kDirectory) return {};
    std::swap(place.parent, child);
    if (isMade) made->push_back({std::move(child), name});
  }
  place.name = path;
  return {};
}

void removeMade(const MadeDirectories& made) {
  for (auto each = made.rbegin(); each != made.rend(); ++each) {
    ::unlinkat(each->parent.get(), each->name.c_str(), AT_REMOVEDIR);
  }
}

}  // namespace gates
