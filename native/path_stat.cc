#include "path_stat.h"

#include <fcntl.h>

namespace gates {

Status statPath(const std::string& root, std::string_view path, PathStat& found) {
  TreePlace place;
  PathKind parents = PathKind::kAbsent;
  if (Status status = openParents(root, path, nullptr, place, parents); !status.ok()) return status;
  found.row = emptyRow(parents);
  if (parents != PathKind::kDirectory) return {};
  struct stat status{};
  const bool isThere = ::fstatat(place.parent.get(), place.name.c_str(), &status, AT_SYMLINK_NOFOLLOW) == 0;
  found.row = isThere ? place.clock.rowOf(status) : place.look();
  found.nlink = isThere ? status.st_nlink : 0;
  return {};
}

#ifdef __APPLE__
std::optional<double> birthTimeMs(const std::string& path) {
  struct stat found{};
  if (::lstat(path.c_str(), &found) != 0) return std::nullopt;
  return static_cast<double>(found.st_birthtimespec.tv_sec) * 1e3 + static_cast<double>(found.st_birthtimespec.tv_nsec) / 1e6;
}
#else
std::optional<double> birthTimeMs(const std::string& path) {
  struct statx found{};
  const int error = ::statx(AT_FDCWD, path.c_str(), AT_SYMLINK_NOFOLLOW, STATX_BTIME, &found);
  if (error != 0 || (found.stx_mask & STATX_BTIME) == 0) return std::nullopt;
  return static_cast<double>(found.stx_btime.tv_sec) * 1e3 + static_cast<double>(found.stx_btime.tv_nsec) / 1e6;
}
#endif

}  // namespace gates
