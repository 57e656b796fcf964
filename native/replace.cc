#include "replace.h"

#include <fcntl.h>

#include "carry.h"
#include "file_io.h"
#include "read_file.h"
#include "rename.h"
#include "steps.h"

namespace gates {

namespace {

/** How often a target may appear or vanish while it is being replaced. */
constexpr int kTries = 3;

bool isPlainName(const std::string& name) {
  return !name.empty() && name != "." && name != ".." && name.find('/') == std::string::npos;
}

Status openPlace(const Displacement& displacement, MadeDirectories* made, TreePlace& place) {
  if (!isPlainName(displacement.tempName)) return fail(EINVAL, "tempName", displacement.tempName);
  PathKind parents = PathKind::kAbsent;
  Status status = openParents(displacement.root, displacement.path, made, place, parents);
  if (!status.ok()) return status;
  if (parents == PathKind::kAbsent) return fail(ENOENT, "openat", displacement.path);
  if (parents == PathKind::kUnreachable) return fail(ENOTDIR, "openat", displacement.path);
  struct stat kept{};
  const bool isTaken = ::lstat(displacement.keepPath.c_str(), &kept) == 0;
  return isTaken ? fail(EEXIST, "keepPath", displacement.keepPath) : Status{};
}

/** Holds what was found against what may be displaced. `isMoved`: it was renamed since it was expected. */
Status checkTarget(const Displacement& displacement, const Row& found, bool isMoved) {
  const bool isAbsent = found.pathKind() == PathKind::kAbsent;
  if (!isAbsent) {
    if (Status status = requireFileOrLink(found, displacement.path); !status.ok()) return status;
  }
  if (!displacement.expect) return {};
  const bool isExpected = isMoved ? found.movedFrom(*displacement.expect) : found.sameAs(*displacement.expect);
  return isExpected ? Status{} : fail(ESTALE, "fstatat", displacement.path);
}

/** One replacement under way. Only the new file is ever ours to remove. */
class Replacing {
 public:
  Replacing(const Replacement& replacement, Replaced& replaced)
      : replacement_(replacement), want_(replacement.place), replaced_(replaced) {}

  Status run() {
    Status status = openPlace(want_, replacement_.createParents ? &made_ : nullptr, place_);
    if (status.ok()) status = write();
    if (status.ok()) status = putInPlace();
    if (!status.ok()) {
      removeNew();
      removeMade(made_);
      return status;
    }
    replaced_.row = rowOfNew();
    reachStep(step::kReplaceKept);
    return {};
  }

 private:
  int directory() const { return place_.parent.get(); }

  Status write() {
    if (Status status = checkTarget(want_, place_.look(), false); !status.ok()) return status;
    if (const int error = reachStep(step::kReplaceWrite); error != 0) return fail(error, step::kReplaceWrite, want_.path);
    Status status = replacement_.from == Replacement::From::kLink ? writeLink() : writeFile();
    if (status.ok()) status = noteNew();
    if (status.ok()) reachStep(step::kReplaceWritten);
    return status;
  }

  Status writeLink() {
    const std::string target(replacement_.bytes.view());
    if (::symlinkat(target.c_str(), directory(), want_.tempName.c_str()) != 0) return failErrno("symlinkat", want_.path);
    hasNew_ = true;
    return {};
  }

  Status writeFile() {
    const mode_t createMode = replacement_.mode ? 0600 : replacement_.createMode;
    file_ = openRetrying(directory(), want_.tempName.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, createMode);
    if (!file_.isOpen()) return failErrno("openat", want_.path);
    hasNew_ = true;
    if (Status status = fill(); !status.ok()) return status;
    if (!replacement_.mode) return {};
    carryAttributes(directory(), place_.name, file_.get());
    return ::fchmod(file_.get(), *replacement_.mode) == 0 ? Status{} : failErrno("fchmod", want_.path);
  }

  Status fill() {
    if (replacement_.from == Replacement::From::kBytes) return writeAll(file_.get(), replacement_.bytes, "write", want_.path);
    const Fd source = openRetrying(AT_FDCWD, replacement_.source.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
    struct stat found{};
    if (!source.isOpen() || ::fstat(source.get(), &found) != 0) return failErrno("open", replacement_.source);
    if (!S_ISREG(found.st_mode)) return fail(kNotRegular, "open", replacement_.source);
    return copyAll(source.get(), file_.get(), "copy", want_.path);
  }

  Status noteNew() {
    new_ = statChild(directory(), want_.tempName.c_str(), place_.clock);
    return requireFileOrLink(new_, want_.path);
  }

  Status putInPlace() {
    for (int i = 0; i < kTries; i++) {
      const Row target = place_.look();
      if (Status status = checkTarget(want_, target, false); !status.ok()) return status;
      const bool isAbsent = target.pathKind() == PathKind::kAbsent;
      const int error = isAbsent ? create() : exchange();
      if (error == 0) return isAbsent ? Status{} : settle();
      const bool hasNoExchange = !isAbsent && (error == EINVAL || error == ENOSYS);
      if (hasNoExchange) return renameOver(target);
      if (error != EEXIST && error != ENOENT) return fail(error, "renameat2", want_.path);
    }
    return fail(ESTALE, "renameat2", want_.path);
  }

  int create() {
    replaced_.created = true;
    return renameNoReplace(directory(), want_.tempName, directory(), place_.name);
  }

  int exchange() {
    replaced_.created = false;
    const int forced = reachStep(step::kReplaceExchange);
    return forced != 0 ? forced : exchangeNames(directory(), want_.tempName, place_.name);
  }

  /** The displaced file now has the temporary name: looks at it once more, then moves it aside. */
  Status settle() {
    isPublic_ = true;
    reachStep(step::kReplaceExchanged);
    const Row displaced = statChild(directory(), want_.tempName.c_str(), place_.clock);
    Status status = checkTarget(want_, displaced, true);
    if (status.ok()) status = keepAside(directory(), want_.tempName, want_.keepPath, replaced_.kept);
    if (!status.ok()) takeBack();
    return status;
  }

  void takeBack() {
    if (exchangeNames(directory(), want_.tempName, place_.name) == 0) return;
    // Somebody removed the new file meanwhile.
    renameNoReplace(directory(), want_.tempName, directory(), place_.name);
  }

  /** Without an exchange the target is kept first; between the last look and the rename a write to it can be missed. */
  Status renameOver(const Row& target) {
    Status status = keepBeside(directory(), place_.name, want_.keepPath, replaced_.kept);
    if (!status.ok()) return status;
    if (!place_.look().movedFrom(target)) status = fail(ESTALE, "fstatat", want_.path);
    if (status.ok() && ::renameat(directory(), want_.tempName.c_str(), directory(), place_.name.c_str()) != 0) {
      status = failErrno("renameat", want_.path);
    }
    if (status.ok()) return status;
    ::unlink(want_.keepPath.c_str());
    ::unlink(byteCopyPath(want_.keepPath).c_str());
    return status;
  }

  /** Once it stood in the target's place, others may have written to it, and then it is theirs. */
  void removeNew() {
    const char* name = want_.tempName.c_str();
    const bool isOurs = hasNew_ && (!isPublic_ || statChild(directory(), name, place_.clock).movedFrom(new_));
    if (isOurs) ::unlinkat(directory(), name, 0);
  }

  Row rowOfNew() const {
    struct stat found{};
    if (file_.isOpen() && ::fstat(file_.get(), &found) == 0) return place_.clock.rowOf(found);
    return place_.look();
  }

  const Replacement& replacement_;
  const Displacement& want_;
  Replaced& replaced_;
  MadeDirectories made_;
  TreePlace place_;
  Fd file_;
  /** The new file as it was written. */
  Row new_;
  bool hasNew_ = false;
  bool isPublic_ = false;
};

}  // namespace

Status replaceAt(const Replacement& replacement, Replaced& replaced) { return Replacing(replacement, replaced).run(); }

Status removeAt(const Displacement& displacement, Kept& kept) {
  TreePlace place;
  if (Status status = openPlace(displacement, nullptr, place); !status.ok()) return status;
  const Row target = place.look();
  if (Status status = checkTarget(displacement, target, false); !status.ok()) return status;
  if (target.pathKind() == PathKind::kAbsent) return {};

  const int directory = place.parent.get();
  const std::string& temp = displacement.tempName;
  if (const int error = renameNoReplace(directory, place.name, directory, temp); error != 0) {
    return fail(error, "renameat2", displacement.path);
  }
  reachStep(step::kRemoveMoved);
  const Row displaced = statChild(directory, temp.c_str(), place.clock);
  Status status = checkTarget(displacement, displaced, true);
  if (status.ok()) status = keepAside(directory, temp, displacement.keepPath, kept);
  if (!status.ok()) renameNoReplace(directory, temp, directory, place.name);
  return status;
}

}  // namespace gates
