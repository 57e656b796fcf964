#include "history.h"

#include <algorithm>
#include <chrono>
#include <queue>
#include <unordered_map>
#include <unordered_set>

namespace gates {

namespace {

using Clock = std::chrono::steady_clock;

/** Commits that {@link findSameAuthor} looks at whatever their times are. */
constexpr size_t kLeastVisited = 2000;

/** Answers "which blob does this tree hold at the path", each tree on the way read once. */
class PathLookup {
 public:
  PathLookup(const GitRepository& git, std::string_view path) : git_(git), path_(path) {}

  Status find(const ObjectId& tree, Held& held) { return findFrom(tree, 0, held); }

 private:
  Status findFrom(const ObjectId& tree, size_t start, Held& held) {
    // Trees that lie on different levels may have the same id, so each level has answers of its own.
    auto& known = known_[start];
    if (const auto answer = known.find(tree); answer != known.end()) {
      held = answer->second;
      return {};
    }
    if (Status status = read(tree, start, held); !status.ok()) return status;
    known.emplace(tree, held);
    return {};
  }

  Status read(const ObjectId& tree, size_t start, Held& held) {
    held.reset();
    std::string content;
    if (Status status = readObject(git_, tree, GIT_OBJECT_TREE, content); !status.ok()) return status;
    const size_t slash = path_.find('/', start);
    const auto entry = findInTree(content, path_.substr(start, slash - start));
    const bool isLast = slash == std::string_view::npos;
    if (!entry || entry->isTree() == isLast) return {};
    if (!isLast) return findFrom(entry->id, slash + 1, held);
    held = entry->id;
    return {};
  }

  const GitRepository& git_;
  std::string_view path_;
  std::unordered_map<size_t, std::unordered_map<ObjectId, Held, IdHash>> known_;
};

/** Commits still to look at, the newest first, each once. */
class CommitQueue {
 public:
  explicit CommitQueue(const GitRepository& git) : git_(git) {}

  /** @returns ENOENT when there is no such commit */
  Status push(const ObjectId& id) {
    if (!seen_.insert(id).second) return {};
    Waiting waiting{id, {}};
    if (Status status = readCommit(git_, id, waiting.commit); !status.ok()) return status;
    waiting_.push(std::move(waiting));
    return {};
  }

  bool pop(ObjectId& id, Commit& commit) {
    if (waiting_.empty()) return false;
    id = waiting_.top().id;
    commit = waiting_.top().commit;
    waiting_.pop();
    return true;
  }

 private:
  struct Waiting {
    ObjectId id;
    Commit commit;

    bool operator<(const Waiting& other) const { return commit.time < other.commit.time; }
  };

  const GitRepository& git_;
  std::unordered_set<ObjectId, IdHash> seen_;
  std::priority_queue<Waiting> waiting_;
};

/** What a commit that has a parent makes of the path, against the first one. */
Status changeBy(const GitRepository& git, const Commit& commit, PathLookup& lookup, Change& change) {
  Commit parent;
  if (Status status = readCommit(git, commit.parents.front(), parent); !status.ok()) return status;
  if (Status status = lookup.find(parent.tree, change.from); !status.ok()) return status;
  return lookup.find(commit.tree, change.to);
}

/** Those of the commits that are there and for which there is time. */
Status pushAll(const std::vector<ObjectId>& commits, Clock::time_point end, CommitQueue& queue) {
  for (const ObjectId& commit : commits) {
    if (Clock::now() >= end) return {};
    if (Status status = queue.push(commit); !status.ok() && status.code != ENOENT) return status;
  }
  return {};
}

}  // namespace

Status findBlob(const GitRepository& git, const BlobSearch& search, BlobFound& result) {
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(search.budgetMs);
  CommitQueue queue(git);
  if (Status status = pushAll(search.tips, end, queue); !status.ok()) return status;
  PathLookup lookup(git, search.path);
  ObjectId id{};
  Commit commit;
  while (queue.pop(id, commit) && Clock::now() < end) {
    result.visited++;
    Held held;
    const Status looked = lookup.find(commit.tree, held);
    if (!looked.ok() && looked.code != ENOENT) return looked;
    result.isMissing = result.isMissing || !looked.ok();
    if (held == search.id) {
      result.commit = id;
      return {};
    }
    for (const ObjectId& parent : commit.parents) {
      const Status pushed = queue.push(parent);
      if (!pushed.ok() && pushed.code != ENOENT) return pushed;
      result.isMissing = result.isMissing || !pushed.ok();
    }
  }
  result.isComplete = Clock::now() < end;
  return {};
}

Status findChanges(const GitRepository& git, const ChangeSearch& search, std::vector<Change>& changes) {
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(search.budgetMs);
  CommitQueue queue(git);
  if (Status status = pushAll(search.tips, end, queue); !status.ok()) return status;
  PathLookup lookup(git, search.path);
  ObjectId id{};
  Commit commit;
  for (size_t visited = 0; visited < search.mostCommits && Clock::now() < end && queue.pop(id, commit); visited++) {
    if (Status status = pushAll(commit.parents, end, queue); !status.ok()) return status;
    if (commit.parents.empty()) continue;
    Change change;
    const Status looked = changeBy(git, commit, lookup, change);
    if (!looked.ok() && looked.code != ENOENT) return looked;
    if (!looked.ok() || change.from == change.to) continue;
    if (std::find(changes.begin(), changes.end(), change) == changes.end()) changes.push_back(change);
    if (changes.size() == search.mostChanges) return {};
  }
  return {};
}

Status findSameAuthor(const GitRepository& git, const AuthorSearch& search, std::vector<ObjectId>& commits) {
  const Clock::time_point end = Clock::now() + std::chrono::milliseconds(search.budgetMs);
  Commit like;
  if (Status status = readCommit(git, search.like, like); !status.ok()) return status;
  const int64_t authoredAt = like.authoredAt();
  CommitQueue queue(git);
  if (Status status = pushAll(search.tips, end, queue); !status.ok()) return status;
  ObjectId id{};
  Commit commit;
  for (size_t visited = 0; Clock::now() < end && queue.pop(id, commit); visited++) {
    if (visited >= kLeastVisited && commit.time < authoredAt) return {};
    if (commit.author == like.author && id != search.like) commits.push_back(id);
    if (commits.size() == search.most) return {};
    if (Status status = pushAll(commit.parents, end, queue); !status.ok()) return status;
  }
  return {};
}

}  // namespace gates
