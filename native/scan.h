#pragma once

#include "stat_table.h"
#include "tree_path.h"

namespace gates {

/** 0 threads: as many as the machine has, at least 2, at most 4. */
struct ScanOptions {
  std::string root;
  size_t threads = 0;
};

/** What a scan saw: one row per distinct path, in index order. */
struct ScanResult {
  ScanClock clock;
  /** First entry of each path. */
  LargeVector<size_t> firsts;
  LargeVector<Row> rows;
};

/** Looks at every path of the index, each directory opened once per thread and none through a link. */
Status scanTree(const Index& index, const ScanOptions& options, ScanResult& result);

/** git's own answer whether the entry's stat data proves that the path holds its content. */
bool isProvenByIndex(const Index& index, size_t first, const Row& row, int64_t indexMtimeNs);

}  // namespace gates
