#pragma once

#include "stat_row.h"
#include "status.h"

namespace gates {

/** What became of a displaced file. */
struct Kept {
  enum class How { kNothing, kInode, kCopy };

  How how = How::kNothing;
  PathKind kind = PathKind::kAbsent;
  uint64_t nlink = 0;
  std::string linkTarget;
};

/** Where a file that had more than one hard link has its byte copy. */
inline std::string byteCopyPath(const std::string& keepPath) { return keepPath + ".copy"; }

/**
 * Moves a file or link out of the tree; on another file system it is copied while it stands still, then removed.
 *
 * @param keepPath where it goes; nothing may be there
 * @returns EEXIST, EISDIR, kNotRegular, or the step that failed; then the file is where it was and nothing is kept
 */
Status keepAside(int directory, const std::string& name, const std::string& keepPath, Kept& kept);

/** As keepAside, but leaves the file where it is: a second link to it where that can be, else a copy. */
Status keepBeside(int directory, const std::string& name, const std::string& keepPath, Kept& kept);

}  // namespace gates
