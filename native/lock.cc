#include "lock.h"

#include <fcntl.h>
#include <sys/file.h>

#include "file_io.h"

namespace gates {

Status lockFile(const std::string& path, bool isMade, Fd& fd, struct stat& locked) {
  // A directory opens for reading only, and a lock needs no more.
  Fd opened = openRetrying(AT_FDCWD, path.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK | (isMade ? O_CREAT : 0), 0600);
  const bool isDirectory = !opened.isOpen() && errno == EISDIR;
  if (isDirectory) opened = openRetrying(AT_FDCWD, path.c_str(), O_RDONLY | O_NOFOLLOW | O_DIRECTORY);
  if (!opened.isOpen()) return failErrno("open", path);
  while (::flock(opened.get(), LOCK_EX | LOCK_NB) != 0) {
    if (errno == EWOULDBLOCK) return {};
    if (errno != EINTR) return failErrno("flock", path);
  }
  if (::fstat(opened.get(), &locked) != 0) return failErrno("fstat", path);
  fd = std::move(opened);
  return {};
}

Status lockHolds(int fd, const std::string& path, bool& holds) {
  struct stat own{};
  struct stat named{};
  if (::fstat(fd, &own) != 0) return failErrno("fstat", path);
  holds = false;
  if (::lstat(path.c_str(), &named) != 0) return errno == ENOENT ? Status{} : failErrno("lstat", path);
  holds = own.st_ino == named.st_ino && own.st_dev == named.st_dev;
  return {};
}

}  // namespace gates
