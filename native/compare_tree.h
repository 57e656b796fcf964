#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "bytes.h"
#include "stat_row.h"
#include "status.h"

namespace gates {

/** A tree as it was pinned, and how it is to be looked at. */
struct PinnedTree {
  std::string root;
  Bytes index;
  Bytes table;
  /** Both lie in files that are mapped: pages that are done with are given back, so that memory stays bounded. */
  bool isMapped = false;
  /** 0: as many as the machine has, at least 2, at most 4. */
  size_t threads = 0;
  /** Sorted; what differs there does not count. */
  std::vector<std::string_view> ignored;
  /** Differences after the first one do not matter, and are not looked for. */
  bool onlyWhether = false;
  /** Place on the monotonic clock at which the answer comes too late; 0: none does. */
  int64_t giveUpAtMs = 0;
};

struct Difference {
  std::string path;
  Row row;
};

/**
 * Looks at every path of a pinned index, each directory opened once per thread and none through a link, and compares with
 * its row. Nothing is allocated per entry.
 *
 * @param found in index order: paths whose row differs in anything but its flags, or is not to be trusted
 * @returns kBadIndex, kBadTable when the two cannot be read or do not belong together; ETIMEDOUT when time is up
 */
Status compareTree(const PinnedTree& pinned, std::vector<Difference>& found);

}  // namespace gates
