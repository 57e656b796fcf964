#include "replay.h"

#include <algorithm>

#include "memory_odb.h"

namespace gates {

namespace {

using CommitOwned = GitOwned<git_commit>;

Status lookUpCommit(const GitRepository& git, const ObjectId& id, CommitOwned& commit) {
  git_commit* found = nullptr;
  const git_oid oid = toGitOid(id.data());
  const int result = git.lib->commit_lookup(&found, git.repository.get(), &oid);
  commit.reset(found);
  return gitStatus(*git.lib, result, "git_commit_lookup", toHex(id.data(), id.size()));
}

using TreeOwned = GitOwned<git_tree>;

Status treeOf(const GitRepository& git, const ObjectId& commit, TreeOwned& tree) {
  CommitOwned owner(nullptr, git.lib->commit_free);
  if (Status status = lookUpCommit(git, commit, owner); !status.ok()) return status;
  git_tree* found = nullptr;
  const int result = git.lib->commit_tree(&found, owner.get());
  tree.reset(found);
  return gitStatus(*git.lib, result, "git_commit_tree");
}

/** Merges one more head onto what was merged so far. */
Status mergeNext(const GitRepository& git, const ObjectId& onto, const ObjectId& other, const git_tree* soFar,
                 Replayed& result) {
  const LibGit2& lib = *git.lib;
  git_oid baseId{};
  const git_oid ontoId = toGitOid(onto.data());
  const git_oid otherId = toGitOid(other.data());
  Status status = gitStatus(lib, lib.merge_base(&baseId, git.repository.get(), &ontoId, &otherId), "git_merge_base");
  if (!status.ok()) return status;
  ObjectId base{};
  std::copy_n(baseId.id, kSha1Size, base.begin());
  TreeOwned baseTree(nullptr, lib.tree_free);
  TreeOwned otherTree(nullptr, lib.tree_free);
  status = treeOf(git, base, baseTree);
  if (status.ok()) status = treeOf(git, other, otherTree);
  if (!status.ok()) return status;
  git_index* index = nullptr;
  const int made = lib.merge_trees(&index, git.repository.get(), baseTree.get(), soFar, otherTree.get(), nullptr);
  result.reset(index);
  return gitStatus(lib, made, "git_merge_trees");
}

/** As git's octopus merge does it: one head after the other, each onto what was merged so far. */
Status mergeOctopus(const GitRepository& git, const ReplayOrder& order, Replayed& result) {
  const LibGit2& lib = *git.lib;
  TreeOwned tree(nullptr, lib.tree_free);
  Status status = treeOf(git, order.onto, tree);
  for (const ObjectId& other : order.others) {
    if (status.ok()) status = mergeNext(git, order.onto, other, tree.get(), result);
    if (!status.ok() || lib.index_has_conflicts(result.get()) == 1) return status;
    git_oid id{};
    git_tree* merged = nullptr;
    status = gitStatus(lib, lib.index_write_tree_to(&id, result.get(), git.repository.get()), "git_index_write_tree_to");
    if (status.ok()) status = gitStatus(lib, lib.tree_lookup(&merged, git.repository.get(), &id), "git_tree_lookup");
    tree.reset(merged);
  }
  return status;
}

Status replayOne(const GitRepository& git, const ReplayOrder& order, Replayed& result) {
  const LibGit2& lib = *git.lib;
  CommitOwned onto(nullptr, lib.commit_free);
  CommitOwned other(nullptr, lib.commit_free);
  Status status = lookUpCommit(git, order.onto, onto);
  if (status.ok()) status = lookUpCommit(git, order.others[0], other);
  if (!status.ok()) return status;

  git_repository* repository = git.repository.get();
  git_index* index = nullptr;
  int made = 0;
  switch (order.kind) {
    case ReplayKind::kMerge:
      made = lib.merge_commits(&index, repository, onto.get(), other.get(), nullptr);
      break;
    case ReplayKind::kPick:
      made = lib.cherrypick_commit(&index, repository, other.get(), onto.get(), order.mainline, nullptr);
      break;
    case ReplayKind::kRevert:
      made = lib.revert_commit(&index, repository, other.get(), onto.get(), order.mainline, nullptr);
      break;
  }
  result.reset(index);
  return gitStatus(lib, made, "replay");
}

}  // namespace

Status replay(const LibGit2& lib, const std::string& gitDir, const ReplayOrder& order, Replayed& result) {
  if (order.others.empty()) return fail(EINVAL, "replay");
  std::unique_ptr<GitRepository> git;
  Status status = openRepository(lib, gitDir, {}, git);
  if (status.ok()) status = writeToMemory(*git);
  if (!status.ok()) return status;
  return order.others.size() > 1 ? mergeOctopus(*git, order, result) : replayOne(*git, order, result);
}

ReplayedPath lookUp(const LibGit2& lib, git_index* index, const std::string& path) {
  ReplayedPath found;
  for (int stage = 1; stage <= 3; stage++) {
    const git_index_entry* entry = lib.index_get_bypath(index, path.c_str(), stage);
    // Where a stage is missing, libgit2 answers with the entry of stage 0.
    if (entry != nullptr && GIT_INDEX_ENTRY_STAGE(entry) != 0) found.isConflicted = true;
  }
  const git_index_entry* entry = lib.index_get_bypath(index, path.c_str(), 0);
  if (found.isConflicted || entry == nullptr || GIT_INDEX_ENTRY_STAGE(entry) != 0) return found;
  std::copy_n(entry->id.id, kSha1Size, found.id.emplace().begin());
  return found;
}

}  // namespace gates
