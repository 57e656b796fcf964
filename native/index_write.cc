#include "index_write.h"

#include <fcntl.h>

#include "file_io.h"
#include "steps.h"

namespace gates {

namespace {

WrittenAt writtenAt(const struct stat& status) {
#ifdef __APPLE__
  return {status.st_mtimespec.tv_sec, status.st_mtimespec.tv_nsec};
#else
  return {status.st_mtim.tv_sec, status.st_mtim.tv_nsec};
#endif
}

Status writeNewFile(const std::string& path, std::string_view bytes, const struct stat* like, struct stat& written) {
  const Fd file = openRetrying(AT_FDCWD, path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0666);
  if (!file.isOpen()) return failErrno(step::kIndexWrite, path);
  Status status = writeAll(file.get(), bytesOf(bytes), step::kIndexWrite, path);
  if (const int error = reachStep(step::kIndexWrite); status.ok() && error != 0) status = fail(error, step::kIndexWrite, path);
  if (like != nullptr) {
    // The owner only where this process may give files away.
    [[maybe_unused]] const bool isGiven = ::fchown(file.get(), like->st_uid, like->st_gid) == 0;
    if (status.ok() && ::fchmod(file.get(), like->st_mode & 07777) != 0) status = failErrno("fchmod", path);
  }
  if (status.ok() && ::fstat(file.get(), &written) != 0) status = failErrno("fstat", path);
  if (!status.ok()) ::unlink(path.c_str());
  return status;
}

/** Whether the file still has these bytes, or is still missing. */
Status hasBytes(const std::string& path, std::optional<Bytes> bytes, bool& same) {
  const Fd file = openRetrying(AT_FDCWD, path.c_str(), O_RDONLY);
  if (!file.isOpen() && errno != ENOENT) return failErrno("open", path);
  same = file.isOpen() == bytes.has_value();
  if (!same || !bytes) return {};
  std::string now;
  if (Status status = readAll(file.get(), bytes->size, now, "read", path); !status.ok()) return status;
  same = now == bytes->view();
  return {};
}

}  // namespace

Status prepareIndex(const IndexPaths& paths, std::optional<Bytes> read, std::vector<NewEntry> set,
                    std::vector<std::string> remove, struct stat& prepared) {
  Index index;
  if (read) {
    if (Status status = parseWholeIndex(*read, index); !status.ok()) return status;
  }
  struct stat old{};
  const bool hasOld = ::stat(paths.index.c_str(), &old) == 0;
  if (!hasOld && errno != ENOENT) return failErrno("stat", paths.index);
  std::string bytes;
  const WrittenAt written = hasOld ? writtenAt(old) : WrittenAt{};
  if (Status status = encodeIndex(index, std::move(set), std::move(remove), written, bytes); !status.ok()) return status;
  if (Status status = writeNewFile(paths.temp, bytes, hasOld ? &old : nullptr, prepared); !status.ok()) return status;
  reachStep(step::kIndexPrepared);
  return {};
}

Status commitIndex(const IndexPaths& paths, std::optional<Bytes> read, IndexCommit& result) {
  const std::string lock = paths.lock();
  if (::link(paths.temp.c_str(), lock.c_str()) != 0) {
    result = IndexCommit::kHeld;
    return errno == EEXIST ? Status{} : failErrno("link", lock);
  }
  reachStep(step::kIndexLocked);
  bool same = false;
  Status status = hasBytes(paths.index, read, same);
  reachStep(step::kIndexChecked);
  if (status.ok() && same && ::rename(lock.c_str(), paths.index.c_str()) != 0) status = failErrno("rename", paths.index);
  if (!status.ok() || !same) ::unlink(lock.c_str());
  reachStep(step::kIndexWritten);
  ::unlink(paths.temp.c_str());
  result = same ? IndexCommit::kWritten : IndexCommit::kMoved;
  return status;
}

Status releaseStaleLock(const std::string& indexPath, ino_t ino, dev_t dev, bool& released) {
  const std::string lock = indexPath + ".lock";
  struct stat found{};
  released = false;
  if (::lstat(lock.c_str(), &found) != 0) return errno == ENOENT ? Status{} : failErrno("lstat", lock);
  if (found.st_ino != ino || found.st_dev != dev) return {};
  if (::unlink(lock.c_str()) != 0) return failErrno("unlink", lock);
  released = true;
  return {};
}

}  // namespace gates
