#include "tree_diff.h"

#include <algorithm>
#include <map>

namespace gates {

namespace {

/** One name in both trees. */
struct Pair {
  std::optional<TreeEntry> from;
  std::optional<TreeEntry> to;
};

/** A tree on neither side, on one, or on both. */
struct Trees {
  std::optional<ObjectId> from;
  std::optional<ObjectId> to;
};

std::optional<ObjectId> treeOf(const std::optional<TreeEntry>& entry) {
  return entry && entry->isTree() ? std::optional(entry->id) : std::nullopt;
}

bool isBlob(const std::optional<TreeEntry>& entry) { return entry && !entry->isTree(); }

class TreeDiff {
 public:
  TreeDiff(const GitRepository& git, std::vector<std::string>& paths) : git_(git), paths_(paths) {}

  Status run(const Trees& trees, const std::string& folder) {
    if (trees.from == trees.to) return {};
    std::map<std::string, Pair, std::less<>> names;
    if (Status status = collect(trees.from, &Pair::from, names); !status.ok()) return status;
    if (Status status = collect(trees.to, &Pair::to, names); !status.ok()) return status;
    for (const auto& [name, pair] : names) {
      if (pair.from == pair.to) continue;
      // A file may have become a folder, or the other way round: then both are named.
      if (isBlob(pair.from) || isBlob(pair.to)) paths_.push_back(folder + name);
      const Trees below{treeOf(pair.from), treeOf(pair.to)};
      if (Status status = run(below, folder + name + '/'); !status.ok()) return status;
    }
    return {};
  }

 private:
  Status collect(const std::optional<ObjectId>& id, std::optional<TreeEntry> Pair::*side,
                 std::map<std::string, Pair, std::less<>>& names) {
    if (!id) return {};
    std::string content;
    if (Status status = readObject(git_, *id, GIT_OBJECT_TREE, content); !status.ok()) return status;
    std::string_view rest = content;
    std::string_view name;
    TreeEntry entry;
    while (nextInTree(rest, name, entry)) names[std::string(name)].*side = entry;
    return {};
  }

  const GitRepository& git_;
  std::vector<std::string>& paths_;
};

}  // namespace

Status diffCommits(const GitRepository& git, const ObjectId& from, const ObjectId& to, std::vector<std::string>& paths) {
  Commit before;
  Commit after;
  if (Status status = readCommit(git, from, before); !status.ok()) return status;
  if (Status status = readCommit(git, to, after); !status.ok()) return status;
  if (Status status = TreeDiff(git, paths).run({before.tree, after.tree}, ""); !status.ok()) return status;
  std::sort(paths.begin(), paths.end());
  return {};
}

}  // namespace gates
