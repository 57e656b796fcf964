#pragma once

#include "git_objects.h"

namespace gates {

struct BlobSearch {
  std::vector<ObjectId> tips;
  std::string path;
  ObjectId id{};
  int64_t budgetMs = 0;
};

struct BlobFound {
  std::optional<ObjectId> commit;
  /** false when the budget ran out. */
  bool isComplete = true;
  /** A commit or tree of the history is not in the database. */
  bool isMissing = false;
  size_t visited = 0;
};

/**
 * Walks from the tips, newest commits first, to one whose tree holds the blob at the path. Tips that are not there or no
 * commits are passed over.
 */
Status findBlob(const GitRepository& git, const BlobSearch& search, BlobFound& result);

}  // namespace gates
