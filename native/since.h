#pragma once

#include "git_objects.h"

namespace gates {

struct SinceSearch {
  std::vector<ObjectId> tips;
  /** What they and their ancestors are is left out; ids that are no commits here are passed over. */
  std::vector<ObjectId> hidden;
  uint32_t most = 0;
};

/**
 * Commits that are reachable from tips and from nothing hidden, children before parents. libgit2's own walk keeps its tips in
 * a list in the order of dates, which takes the square of their number.
 *
 * @returns ENOENT when a tip is no commit here; a parent that is not here, as in a shallow clone, is passed over
 */
Status commitsSince(const GitRepository& git, const SinceSearch& search, std::vector<ObjectId>& found);

}  // namespace gates
