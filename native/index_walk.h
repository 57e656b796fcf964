#pragma once

#include <string>

#include "index_file.h"

namespace gates {

/**
 * Goes through an index's entries one by one, without memory for each. It can be copied, so that several threads start at
 * places of their own. The bytes stay the caller's.
 */
class IndexWalk {
 public:
  explicit IndexWalk(Bytes bytes) : bytes_(bytes) {}

  /** Reads the header. @returns kBadIndex for what is no index of versions 2 to 4 */
  Status open();

  uint32_t version() const { return version_; }
  /** Entries that the header announces. */
  size_t count() const { return count_; }
  size_t left() const { return left_; }
  /** Where the next entry, or the first extension, begins. */
  size_t offset() const { return at_; }
  /** Where the trailing hash begins. */
  size_t end() const { return end_; }

  /**
   * Reads the next entry; `left` must not be 0. The path of version 4 is good until the walk goes on, others as long as the
   * bytes are.
   */
  Status next(IndexEntry& entry);

  /**
   * Passes over entries of stage 0 without a look at their paths, as long as they come one behind the other.
   *
   * @returns how many; 0 in version 4, where each path is needed for the next
   */
  size_t skipMerged(size_t most);

  /** How the last entry's path compares with the one before: negative when it comes first, which no good index has. */
  int order() const { return order_; }

 private:
  Status readPlainPath(const uint8_t* raw, IndexEntry& entry);
  Status readCompressedPath(const uint8_t* raw, IndexEntry& entry);
  bool readVarint(size_t& value);

  Bytes bytes_;
  uint32_t version_ = 0;
  size_t count_ = 0;
  size_t left_ = 0;
  size_t at_ = 0;
  size_t end_ = 0;
  int order_ = 1;
  /** The last path: of version 4 in memory of its own, of others in place. */
  std::string expanded_;
  std::string_view previous_;
};

}  // namespace gates
