#include "carry.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/xattr.h>
#endif

#include <string_view>

namespace gates {

namespace {

#ifdef __linux__
constexpr char kAccessList[] = "system.posix_acl_access";

void carryOne(const std::string& from, const char* name, int toFile) {
  const ssize_t size = ::lgetxattr(from.c_str(), name, nullptr, 0);
  if (size < 0) return;
  std::string value(static_cast<size_t>(size), '\0');
  const ssize_t got = ::lgetxattr(from.c_str(), name, value.data(), value.size());
  if (got >= 0) ::fsetxattr(toFile, name, value.data(), static_cast<size_t>(got), 0);
}

void carryExtendedAttributes(int directory, const std::string& name, int toFile) {
  // There is no lgetxattrat; the kernel's own name for the open directory keeps links out.
  const std::string from = "/proc/self/fd/" + std::to_string(directory) + '/' + name;
  // A list inherited from the directory is not the old file's.
  ::fremovexattr(toFile, kAccessList);
  const ssize_t size = ::llistxattr(from.c_str(), nullptr, 0);
  if (size <= 0) return;
  std::string names(static_cast<size_t>(size), '\0');
  const ssize_t got = ::llistxattr(from.c_str(), names.data(), names.size());
  if (got <= 0) return;
  names.resize(static_cast<size_t>(got));
  for (size_t at = 0; at < names.size(); at = names.find('\0', at) + 1) {
    const std::string_view each = names.c_str() + at;
    if (each == kAccessList || each.substr(0, 5) == "user.") carryOne(from, each.data(), toFile);
  }
}
#else
void carryExtendedAttributes(int, const std::string&, int) {}
#endif

}  // namespace

void carryAttributes(int directory, const std::string& from, int toFile) {
  struct stat old{};
  if (::fstatat(directory, from.c_str(), &old, AT_SYMLINK_NOFOLLOW) != 0 || !S_ISREG(old.st_mode)) return;
  // The group alone is often allowed where the owner is not; neither is a reason to fail.
  const bool isOwned = ::fchown(toFile, old.st_uid, old.st_gid) == 0;
  [[maybe_unused]] const bool isGrouped = isOwned || ::fchown(toFile, static_cast<uid_t>(-1), old.st_gid) == 0;
  carryExtendedAttributes(directory, from, toFile);
}

}  // namespace gates
