#pragma once

#include <sys/stat.h>

#include <cstdint>
#include <string>

namespace gates {

constexpr int64_t kSecondNs = 1'000'000'000;

#ifdef __APPLE__
inline int64_t mtimeNsOf(const struct stat& s) { return s.st_mtimespec.tv_sec * kSecondNs + s.st_mtimespec.tv_nsec; }
inline int64_t ctimeNsOf(const struct stat& s) { return s.st_ctimespec.tv_sec * kSecondNs + s.st_ctimespec.tv_nsec; }
#else
inline int64_t mtimeNsOf(const struct stat& s) { return s.st_mtim.tv_sec * kSecondNs + s.st_mtim.tv_nsec; }
inline int64_t ctimeNsOf(const struct stat& s) { return s.st_ctim.tv_sec * kSecondNs + s.st_ctim.tv_nsec; }
#endif

enum class PathKind : uint16_t { kFile, kLink, kDirectory, kOther, kAbsent, kUnreachable };

constexpr uint16_t kRowRacy = 1;
/** A submodule or a collapsed directory: never looked at. */
constexpr uint16_t kRowOutside = 2;

/**
 * Stat data of one path, as it is stored: 48 bytes in this machine's byte order. All zero but `kind` for what
 * is no file: absent, unreachable, a directory.
 */
struct Row {
  uint64_t size = 0;
  int64_t mtimeNs = 0;
  int64_t ctimeNs = 0;
  uint64_t ino = 0;
  uint64_t dev = 0;
  uint32_t mode = 0;
  uint16_t kind = 0;
  uint16_t flags = 0;

  PathKind pathKind() const { return static_cast<PathKind>(kind); }
  /** Whether it is something that has content to restore or to keep. */
  bool isFileOrLink() const { return pathKind() == PathKind::kFile || pathKind() == PathKind::kLink; }
  /** Whether both are the same file, unwritten since; flags do not count. */
  bool sameAs(const Row& other) const;
  /** Whether this is the other file after a rename, which moves its ctime. */
  bool movedFrom(const Row& other) const;
};
static_assert(sizeof(Row) == 48);

/** When a scan began and how young a row may be to be trusted by it. */
struct ScanClock {
  int64_t startedNs = 0;
  int64_t grainNs = 0;
  uint64_t dev = 0;

  /** Starts now; the grain is that of the root's file system. */
  static ScanClock start(int rootFd);

  Row rowOf(const struct stat& status) const;
};

/** Row that says nothing but what is there. */
Row emptyRow(PathKind kind);

}  // namespace gates
