#pragma once

#include "git_objects.h"

namespace gates {

/** What a path below a tree is; nothing when it is absent or no file. */
using Held = std::optional<ObjectId>;

struct BlobSearch {
  std::vector<ObjectId> tips;
  std::string path;
  ObjectId id{};
  uint32_t budgetMs = 0;
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

struct ChangeSearch {
  std::vector<ObjectId> tips;
  std::string path;
  uint32_t mostCommits = 0;
  uint32_t mostChanges = 0;
  uint32_t budgetMs = 0;
};

/** What one commit made of a path. */
struct Change {
  Held from;
  Held to;

  bool operator==(const Change& other) const { return from == other.from && to == other.to; }
};

/**
 * Walks from the tips, newest commits first, and finds what they made of the path against their first parents, each
 * change once. Commits whose trees are not there are passed over.
 */
Status findChanges(const GitRepository& git, const ChangeSearch& search, std::vector<Change>& changes);

struct AuthorSearch {
  std::vector<ObjectId> tips;
  /** Commit whose author, mail and author's time the others share. */
  ObjectId like{};
  uint32_t most = 0;
  uint32_t budgetMs = 0;
};

/**
 * Walks from the tips, newest commits first, for others that were authored like the commit, as those are that it was
 * picked from. None is older than its author's time, so the walk ends there; clocks that differ are made up for by a
 * few thousand commits that are looked at in any case.
 *
 * @returns ENOENT when the commit itself is not there
 */
Status findSameAuthor(const GitRepository& git, const AuthorSearch& search, std::vector<ObjectId>& commits);

}  // namespace gates
