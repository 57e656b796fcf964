#pragma once

#include <atomic>
#include <string>
#include <string_view>
#include <vector>

#include "bytes.h"
#include "fd.h"
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
  /** `run` stops at a first difference. */
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
 */
class TreeComparison {
 public:
  explicit TreeComparison(PinnedTree pinned);
  ~TreeComparison();

  /** @returns kBadIndex, kBadTable when the two cannot be read or do not belong together; ETIMEDOUT when time is up */
  Status run();
  /** Goes on behind the difference that `run` stopped at, to the end of the tree: in another process too. */
  Status finish();

  /** In index order: paths whose row differs in anything but its flags, or is not to be trusted. */
  std::vector<Difference> found();

 private:
  struct Part;
  class Reading;

  Status open();

  PinnedTree pinned_;
  Fd root_;
  ScanClock clock_;
  std::atomic<size_t> nextChunk_{0};
  std::atomic<bool> isDecided_{false};
  std::vector<Part> parts_;
};

}  // namespace gates
