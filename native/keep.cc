#include "keep.h"

#include <fcntl.h>

#include "file_io.h"
#include "read_file.h"
#include "rename.h"
#include "steps.h"

namespace gates {

namespace {

constexpr int kTries = 3;

bool isSameMoment(const struct stat& left, const struct stat& right) {
  const ScanClock clock;
  return clock.rowOf(left).sameAs(clock.rowOf(right));
}

/** @returns EAGAIN when the file was written meanwhile */
Status copyOnce(int directory, const std::string& name, const std::string& to) {
  const Fd source = openRetrying(directory, name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  struct stat before{};
  struct stat after{};
  if (!source.isOpen() || ::fstat(source.get(), &before) != 0) return failErrno("openat", name);
  if (!S_ISREG(before.st_mode)) return fail(kNotRegular, "openat", name);
  const Fd copy = openRetrying(AT_FDCWD, to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (!copy.isOpen()) return failErrno("open", to);
  Status status = copyAll(source.get(), copy.get(), "copy", to);
  if (const int error = reachStep(step::kKeepCopied); status.ok() && error != 0) status = fail(error, "copy", to);
  if (status.ok() && ::fstat(source.get(), &after) != 0) status = failErrno("fstat", name);
  if (status.ok() && !isSameMoment(before, after)) status = fail(EAGAIN, "copy", name);
  if (status.ok() && ::fchmod(copy.get(), before.st_mode & 0777) != 0) status = failErrno("fchmod", to);
  if (!status.ok()) ::unlink(to.c_str());
  return status;
}

Status copyStill(int directory, const std::string& name, const std::string& to) {
  Status status;
  for (int i = 0; i < kTries; i++) {
    status = copyOnce(directory, name, to);
    if (status.code != EAGAIN) return status;
  }
  return status;
}

Status copyAny(int directory, const std::string& name, const std::string& to, const Kept& kept) {
  if (kept.kind == PathKind::kFile) return copyStill(directory, name, to);
  return ::symlink(kept.linkTarget.c_str(), to.c_str()) == 0 ? Status{} : failErrno("symlink", to);
}

/** Notes what is displaced. */
Status describe(int directory, const std::string& name, Kept& kept) {
  struct stat found{};
  if (::fstatat(directory, name.c_str(), &found, AT_SYMLINK_NOFOLLOW) != 0) return failErrno("fstatat", name);
  const Row row = ScanClock().rowOf(found);
  if (Status status = requireFileOrLink(row, name); !status.ok()) return status;
  kept.kind = row.pathKind();
  kept.nlink = found.st_nlink;
  return kept.kind == PathKind::kLink ? readLink(directory, name, kept.linkTarget) : Status{};
}

/** Moves the file itself where that can be done, else copies it and removes it. */
Status moveOrCopy(int directory, const std::string& name, const std::string& keepPath, Kept& kept) {
  const int forced = reachStep(step::kKeepRename);
  const int error = forced != 0 ? forced : renameNoReplace(directory, name, AT_FDCWD, keepPath);
  kept.how = Kept::How::kInode;
  if (error == 0) return {};
  if (error != EXDEV) return fail(error, step::kKeepRename, keepPath);
  kept.how = Kept::How::kCopy;
  if (Status status = copyAny(directory, name, keepPath, kept); !status.ok()) return status;
  if (::unlinkat(directory, name.c_str(), 0) == 0) return {};
  const Status status = failErrno("unlinkat", name);
  ::unlink(keepPath.c_str());
  return status;
}

/** Leaves the name in its place. */
Status linkOrCopy(int directory, const std::string& name, const std::string& keepPath, Kept& kept) {
  kept.how = Kept::How::kInode;
  if (::linkat(directory, name.c_str(), AT_FDCWD, keepPath.c_str(), 0) == 0) return {};
  if (errno == EEXIST) return failErrno("linkat", keepPath);
  kept.how = Kept::How::kCopy;
  return copyAny(directory, name, keepPath, kept);
}

using Transfer = Status (*)(int, const std::string&, const std::string&, Kept&);

Status keepBy(Transfer transfer, int directory, const std::string& name, const std::string& keepPath, Kept& kept) {
  if (Status status = describe(directory, name, kept); !status.ok()) return status;
  // Another name of the same file can still be written through, which would change what was kept.
  const bool hasOtherNames = kept.kind == PathKind::kFile && kept.nlink > 1;
  const std::string copyPath = byteCopyPath(keepPath);
  if (hasOtherNames) {
    if (Status status = copyStill(directory, name, copyPath); !status.ok()) return status;
  }
  Status status = transfer(directory, name, keepPath, kept);
  if (!status.ok() && hasOtherNames) ::unlink(copyPath.c_str());
  if (!status.ok()) kept = {};
  return status;
}

}  // namespace

Status keepAside(int directory, const std::string& name, const std::string& keepPath, Kept& kept) {
  return keepBy(moveOrCopy, directory, name, keepPath, kept);
}

Status keepBeside(int directory, const std::string& name, const std::string& keepPath, Kept& kept) {
  return keepBy(linkOrCopy, directory, name, keepPath, kept);
}

}  // namespace gates
