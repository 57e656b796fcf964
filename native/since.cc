#include "since.h"

#include <algorithm>
#include <queue>
#include <unordered_map>

namespace gates {

namespace {

/** How far the clocks of those who commit may differ: so much older commits are looked at, too, for what they hide. */
constexpr int64_t kSkewSeconds = 24 * 60 * 60;
constexpr size_t kMostForSkew = 5'000;

struct Known {
  std::vector<ObjectId> parents;
  int64_t time = 0;
  bool isHidden = false;
  bool isTaken = false;
  /** Children among the found ones that were not put out yet. */
  size_t waitingFor = 0;
};

struct Dated {
  int64_t time = 0;
  ObjectId id{};

  bool operator<(const Dated& other) const { return time < other.time; }
};

class Walk {
 public:
  explicit Walk(const GitRepository& git) : git_(git) {}

  /** @returns ENOENT when it is no commit here */
  Status add(const ObjectId& id, bool isHidden) {
    if (const auto known = known_.find(id); known != known_.end()) {
      if (isHidden) hide(id);
      return {};
    }
    Commit commit;
    if (Status status = readCommit(git_, id, commit); !status.ok()) return status;
    known_.emplace(id, Known{std::move(commit.parents), commit.time, isHidden});
    queue_.push({commit.time, id});
    if (!isHidden) open_++;
    return {};
  }

  Status run(size_t most) {
    size_t forSkew = 0;
    while (!queue_.empty() && taken_.size() <= 4 * most) {
      const Dated next = queue_.top();
      if (open_ == 0 && (taken_.empty() || next.time < oldest_ - kSkewSeconds || ++forSkew > kMostForSkew)) break;
      queue_.pop();
      if (Status status = take(next); !status.ok()) return status;
    }
    return {};
  }

  /** Newest first, but children before their parents. */
  void sort(size_t most, std::vector<ObjectId>& found) {
    for (const ObjectId& id : taken_) {
      const Known& commit = known_.at(id);
      if (isFound(commit)) eachFound(commit, [](Known& parent) { parent.waitingFor++; });
    }
    std::priority_queue<Dated> ready;
    for (const ObjectId& id : taken_) {
      const Known& commit = known_.at(id);
      if (isFound(commit) && commit.waitingFor == 0) ready.push({commit.time, id});
    }
    while (!ready.empty() && found.size() < most) {
      const ObjectId id = ready.top().id;
      ready.pop();
      found.push_back(id);
      for (const ObjectId& parentId : known_.at(id).parents) {
        const auto parent = known_.find(parentId);
        if (parent == known_.end() || !isFound(parent->second)) continue;
        if (--parent->second.waitingFor == 0) ready.push({parent->second.time, parentId});
      }
    }
  }

 private:
  static bool isFound(const Known& commit) { return commit.isTaken && !commit.isHidden; }

  template <typename Act>
  void eachFound(const Known& commit, Act act) {
    for (const ObjectId& id : commit.parents) {
      const auto parent = known_.find(id);
      if (parent != known_.end() && isFound(parent->second)) act(parent->second);
    }
  }

  Status take(const Dated& next) {
    Known& commit = known_.at(next.id);
    commit.isTaken = true;
    if (!commit.isHidden) {
      open_--;
      oldest_ = taken_.empty() ? next.time : std::min(oldest_, next.time);
      taken_.push_back(next.id);
    }
    // A copy: adding may move what is known.
    const std::vector<ObjectId> parents = commit.parents;
    const bool isHidden = commit.isHidden;
    for (const ObjectId& parent : parents) {
      const Status status = add(parent, isHidden);
      if (!status.ok() && status.code != ENOENT) return status;
    }
    return {};
  }

  /** Hides a commit that is known, and what of its ancestors was taken already. */
  void hide(const ObjectId& start) {
    std::vector<ObjectId> left{start};
    while (!left.empty()) {
      const auto at = known_.find(left.back());
      left.pop_back();
      if (at == known_.end() || at->second.isHidden) continue;
      Known& commit = at->second;
      commit.isHidden = true;
      if (commit.isTaken) {
        left.insert(left.end(), commit.parents.begin(), commit.parents.end());
      } else {
        open_--;
      }
    }
  }

  const GitRepository& git_;
  std::unordered_map<ObjectId, Known, IdHash> known_;
  std::priority_queue<Dated> queue_;
  std::vector<ObjectId> taken_;
  int64_t oldest_ = 0;
  /** Commits in the queue that nothing hides so far. */
  size_t open_ = 0;
};

}  // namespace

Status commitsSince(const GitRepository& git, const SinceSearch& search, std::vector<ObjectId>& found) {
  Walk walk(git);
  for (const ObjectId& id : search.hidden) {
    if (Status status = walk.add(id, true); !status.ok() && status.code != ENOENT) return status;
  }
  for (const ObjectId& id : search.tips) {
    if (Status status = walk.add(id, false); !status.ok()) return status;
  }
  if (Status status = walk.run(search.most); !status.ok()) return status;
  walk.sort(search.most, found);
  return {};
}

}  // namespace gates
