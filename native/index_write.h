#pragma once

#include <sys/stat.h>

#include <optional>
#include <string>
#include <vector>

#include "index_encode.h"

namespace gates {

struct IndexPaths {
  std::string index;
  /** The prepared file, in the same directory. */
  std::string temp;

  std::string lock() const { return index + ".lock"; }
};

/**
 * Writes the next index beside the one that was read.
 *
 * @param read what was read; nothing when there was no index
 * @param set entries that replace those of the same path and stage, in any order
 * @param remove paths all of whose stages go first, in any order
 * @param prepared identity of the new file
 */
Status prepareIndex(const IndexPaths& paths, std::optional<Bytes> read, std::vector<NewEntry> set,
                    std::vector<std::string> remove, struct stat& prepared);

enum class IndexCommit { kWritten, kHeld, kMoved };

/** Takes `index.lock` with the prepared file and, while the index still has the bytes that were read, renames it in. */
Status commitIndex(const IndexPaths& paths, std::optional<Bytes> read, IndexCommit& result);

/** Removes the lock file when it has this identity. */
Status releaseStaleLock(const std::string& indexPath, ino_t ino, dev_t dev, bool& released);

}  // namespace gates
