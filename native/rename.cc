#include "rename.h"

#include <fcntl.h>
#include <stdio.h>
#include <unistd.h>

#include <cerrno>
#ifdef __linux__
#include <sys/syscall.h>
#endif

namespace gates {

namespace {

#ifdef __linux__
constexpr unsigned kNoReplace = 1;
constexpr unsigned kExchange = 2;

/** The system call itself, because older C libraries have no wrapper. */
int renameWith(int fromDirectory, const char* from, int toDirectory, const char* to, unsigned flags) {
  return ::syscall(SYS_renameat2, fromDirectory, from, toDirectory, to, flags) == 0 ? 0 : errno;
}
#else
constexpr unsigned kNoReplace = RENAME_EXCL;
constexpr unsigned kExchange = RENAME_SWAP;

int renameWith(int fromDirectory, const char* from, int toDirectory, const char* to, unsigned flags) {
  const int error = ::renameatx_np(fromDirectory, from, toDirectory, to, flags) == 0 ? 0 : errno;
  return error == ENOTSUP ? EINVAL : error;
}
#endif

}  // namespace

int exchangeNames(int directory, const std::string& left, const std::string& right) {
  return renameWith(directory, left.c_str(), directory, right.c_str(), kExchange);
}

int renameNoReplace(int fromDirectory, const std::string& from, int toDirectory, const std::string& to) {
  const int error = renameWith(fromDirectory, from.c_str(), toDirectory, to.c_str(), kNoReplace);
  if (error != EINVAL && error != ENOSYS) return error;
  // A link is never made over something; the old name goes once the new one is there.
  if (::linkat(fromDirectory, from.c_str(), toDirectory, to.c_str(), 0) != 0) return errno;
  return ::unlinkat(fromDirectory, from.c_str(), 0) == 0 ? 0 : errno;
}

}  // namespace gates
