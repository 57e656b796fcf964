#include "stat_row.h"

#include <time.h>

#include <algorithm>
#include <string_view>
#ifdef __APPLE__
#include <sys/mount.h>
#else
#include <sys/vfs.h>
#endif

namespace gates {

namespace {

/** Above the tick with which these file systems stamp files. */
constexpr int64_t kFineGrainNs = 20'000'000;
constexpr int64_t kCoarseGrainNs = 2 * kSecondNs;

#ifdef __APPLE__
bool hasFineStamps(const struct statfs& system) { return std::string_view(system.f_fstypename) == "apfs"; }
#else
/** ext4, xfs, btrfs, tmpfs, overlayfs; numbers from linux/magic.h. */
bool hasFineStamps(const struct statfs& system) {
  constexpr uint32_t kFine[] = {0xef53, 0x58465342, 0x9123683e, 0x01021994, 0x794c7630};
  return std::find(std::begin(kFine), std::end(kFine), static_cast<uint32_t>(system.f_type)) != std::end(kFine);
}
#endif

PathKind kindOf(mode_t mode) {
  if (S_ISREG(mode)) return PathKind::kFile;
  if (S_ISLNK(mode)) return PathKind::kLink;
  return S_ISDIR(mode) ? PathKind::kDirectory : PathKind::kOther;
}

}  // namespace

bool Row::sameAs(const Row& other) const { return movedFrom(other) && ctimeNs == other.ctimeNs; }

bool Row::movedFrom(const Row& other) const {
  return size == other.size && mtimeNs == other.mtimeNs && ino == other.ino && dev == other.dev && mode == other.mode &&
         kind == other.kind;
}

ScanClock ScanClock::start(int rootFd) {
  ScanClock clock;
  struct timespec now{};
  ::clock_gettime(CLOCK_REALTIME, &now);
  clock.startedNs = now.tv_sec * kSecondNs + now.tv_nsec;
  struct statfs system{};
  const bool isFine = ::fstatfs(rootFd, &system) == 0 && hasFineStamps(system);
  clock.grainNs = isFine ? kFineGrainNs : kCoarseGrainNs;
  struct stat root{};
  if (::fstat(rootFd, &root) == 0) clock.dev = static_cast<uint64_t>(root.st_dev);
  return clock;
}

Row ScanClock::rowOf(const struct stat& status) const {
  const PathKind kind = kindOf(status.st_mode);
  // What happens inside a directory does not make it another thing.
  if (kind == PathKind::kDirectory) return emptyRow(kind);
  Row row;
  row.size = static_cast<uint64_t>(status.st_size);
  row.mtimeNs = mtimeNsOf(status);
  row.ctimeNs = ctimeNsOf(status);
  row.ino = static_cast<uint64_t>(status.st_ino);
  row.dev = static_cast<uint64_t>(status.st_dev);
  row.mode = static_cast<uint32_t>(status.st_mode);
  row.kind = static_cast<uint16_t>(kind);
  // Below a mount point the root's file system says nothing.
  const int64_t grain = row.dev == dev ? grainNs : kCoarseGrainNs;
  if (std::max(row.mtimeNs, row.ctimeNs) > startedNs - grain) row.flags |= kRowRacy;
  return row;
}

Row emptyRow(PathKind kind) {
  Row row;
  row.kind = static_cast<uint16_t>(kind);
  return row;
}

}  // namespace gates
