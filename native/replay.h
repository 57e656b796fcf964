#pragma once

#include <optional>

#include "git_objects.h"

namespace gates {

enum class ReplayKind { kMerge, kPick, kRevert };

struct ReplayOrder {
  ReplayKind kind = ReplayKind::kMerge;
  /** The commit that is merged, picked or reverted onto. */
  ObjectId onto{};
  /** Several only for a merge: git's octopus. */
  std::vector<ObjectId> others;
  /** Number of the parent that a merge commit is picked or reverted against; 0 for any other commit. */
  unsigned mainline = 0;
};

/** What git's own merge gives, as an index in memory. */
using Replayed = GitOwned<git_index>;

/** Merges, picks or reverts in memory; the repository stays as it is. @returns ENOENT when a commit is missing */
Status replay(const LibGit2& lib, const std::string& gitDir, const ReplayOrder& order, Replayed& result);

struct ReplayedPath {
  /** The blob; nothing when the path is gone or in conflict. */
  std::optional<ObjectId> id;
  bool isConflicted = false;
};

ReplayedPath lookUp(const LibGit2& lib, git_index* index, const std::string& path);

}  // namespace gates
