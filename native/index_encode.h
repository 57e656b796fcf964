#pragma once

#include <string>
#include <vector>

#include "index_file.h"

namespace gates {

/** An entry to put, its stat data zero. */
struct NewEntry {
  std::string path;
  unsigned stage = 0;
  uint32_t mode = 0;
  std::array<uint8_t, kSha1Size> oid{};
  bool assumeValid = false;
  bool skipWorktree = false;
  bool intentToAdd = false;
};

/** When an index file was written; its entries with a younger or equal mtime are racy. */
struct WrittenAt {
  int64_t seconds = 0;
  int64_t nanoseconds = 0;
};

/**
 * Bytes of the next index: same version (3 where 2 cannot say it), kept stat data, trailing hash. Extensions other than
 * REUC are caches of the old entries and go.
 *
 * @param set entries that replace those of the same path and stage, in any order
 * @param remove paths all of whose stages go first, in any order
 * @returns EINVAL for a nameless or doubled entry, EEXIST when a path would be a file and a directory at once
 */
Status encodeIndex(const Index& index, std::vector<NewEntry> set, std::vector<std::string> remove, WrittenAt written,
                   std::string& bytes);

}  // namespace gates
