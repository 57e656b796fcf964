#pragma once

#include <optional>

#include "bytes.h"
#include "keep.h"
#include "tree_path.h"

namespace gates {

/** What is to leave its place in the tree. */
struct Displacement {
  std::string root;
  std::string path;
  /** A free name beside the target. A killed pass leaves the new file or the displaced one under it. */
  std::string tempName;
  std::string keepPath;
  /** The displaced file must still be this. */
  std::optional<Row> expect;
};

struct Replacement {
  Displacement place;
  enum class From { kBytes, kFile, kLink } from = From::kBytes;
  /** The new file's bytes, or where the new link points. */
  Bytes bytes;
  /** Absolute path of the file to copy. */
  std::string source;
  /** Permission bits; nothing: as the kernel makes them from `createMode` and the umask. */
  std::optional<mode_t> mode;
  mode_t createMode = 0666;
  bool createParents = false;
};

struct Replaced {
  bool created = false;
  Kept kept;
  /** Of the new file; racy, because it is new. */
  Row row;
};

/**
 * Puts a new file or link at a path by exchange, so that the displaced one is never out of hand, and moves that aside. No
 * link is followed. Nothing is flushed to disk, as git does not either.
 *
 * When something fails, the tree is as it was, unless others changed the target once more in that moment: what then finds
 * its name taken stays under the temporary one.
 *
 * @returns ENOENT for a missing parent, ENOTDIR for an unreachable one, EISDIR or kNotRegular for a target that is neither
 *   file nor link, ESTALE when it is not the expected one, EEXIST for a taken name
 */
Status replaceAt(const Replacement& replacement, Replaced& replaced);

/** Moves the file or link at a path aside. Nothing there is no error, unless something else was expected. */
Status removeAt(const Displacement& displacement, Kept& kept);

}  // namespace gates
