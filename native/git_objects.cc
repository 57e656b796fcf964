#include "git_objects.h"

#include <sys/stat.h>

#include <algorithm>
#include <charconv>
#include <map>
#include <unordered_map>

namespace gates {

namespace {

/** An object's header lines, one after the other, until the empty line. */
class HeaderLines {
 public:
  explicit HeaderLines(std::string_view text) : rest_(text) {}

  bool next(std::string_view& key, std::string_view& value) {
    const size_t end = rest_.find('\n');
    if (end == 0 || end == std::string_view::npos) return false;
    const std::string_view line = rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    key = line.substr(0, line.find(' '));
    value = line.substr(std::min(key.size() + 1, line.size()));
    return true;
  }

 private:
  std::string_view rest_;
};

/** Seconds out of `Name <mail> seconds zone`. */
int64_t secondsOf(std::string_view signature) {
  const size_t mailEnd = signature.rfind("> ");
  int64_t seconds = 0;
  if (mailEnd == std::string_view::npos) return seconds;
  std::from_chars(signature.data() + mailEnd + 2, signature.data() + signature.size(), seconds);
  return seconds;
}

Status parseCommit(const GitRepository& git, const ObjectId& id, Commit& commit) {
  std::string text;
  if (Status status = readObject(git, id, GIT_OBJECT_COMMIT, text); !status.ok()) return status;
  HeaderLines lines(text);
  std::string_view key;
  std::string_view value;
  bool hasTree = false;
  while (lines.next(key, value)) {
    ObjectId parsed{};
    const bool isId = fromHex(value, parsed.data(), parsed.size());
    if (key == "tree" && isId) {
      commit.tree = parsed;
      hasTree = true;
    }
    if (key == "parent" && isId) commit.parents.push_back(parsed);
    if (key == "committer") commit.time = secondsOf(value);
    if (key == "author") commit.author = value;
  }
  return hasTree ? Status{} : fail(kGitFailed, "commit", toHex(id.data(), id.size()), "commit without a tree");
}

/** Some 25 MB. */
constexpr size_t kMostCached = 100'000;

}  // namespace

struct CommitCache {
  std::unordered_map<ObjectId, Commit, IdHash> byId;
};

int64_t Commit::authoredAt() const { return secondsOf(author); }

Status readObject(const GitRepository& git, const ObjectId& id, git_object_t type, std::string& content) {
  const LibGit2& lib = *git.lib;
  const git_oid oid = toGitOid(id.data());
  git_odb_object* object = nullptr;
  const int result = lib.odb_read(&object, git.odb.get(), &oid);
  if (Status status = gitStatus(lib, result, "git_odb_read", toHex(id.data(), id.size())); !status.ok()) return status;
  const GitOwned<git_odb_object> owned(object, lib.odb_object_free);
  if (lib.odb_object_type(object) != type) return fail(ENOENT, "git_odb_read", toHex(id.data(), id.size()));
  content.assign(static_cast<const char*>(lib.odb_object_data(object)), lib.odb_object_size(object));
  return {};
}

Status readCommit(const GitRepository& git, const ObjectId& id, Commit& commit) {
  auto& known = git.commits->byId;
  if (const auto found = known.find(id); found != known.end()) {
    commit = found->second;
    return {};
  }
  if (Status status = parseCommit(git, id, commit); !status.ok()) return status;
  if (known.size() < kMostCached) known.emplace(id, commit);
  return {};
}

Status readMessage(const GitRepository& git, const ObjectId& id, std::string& message) {
  if (Status status = readObject(git, id, GIT_OBJECT_COMMIT, message); !status.ok()) return status;
  const size_t headerEnd = message.find("\n\n");
  const size_t start = headerEnd == std::string::npos ? headerEnd : message.find_first_not_of('\n', headerEnd);
  message.erase(0, std::min(start, message.size()));
  return {};
}

Status readTagTarget(const GitRepository& git, const ObjectId& id, ObjectId& target) {
  std::string text;
  if (Status status = readObject(git, id, GIT_OBJECT_TAG, text); !status.ok()) return status;
  std::string_view key;
  std::string_view value;
  const bool isParsed = HeaderLines(text).next(key, value) && key == "object" && fromHex(value, target.data(), target.size());
  return isParsed ? Status{} : fail(kGitFailed, "tag", toHex(id.data(), id.size()), "tag of nothing");
}

std::shared_ptr<CommitCache> commitCacheOf(const std::string& commonDir) {
  static std::map<std::string, std::shared_ptr<CommitCache>> caches;
  auto& cache = caches[commonDir];
  if (cache == nullptr) cache = std::make_shared<CommitCache>();
  return cache;
}

bool nextInTree(std::string_view& tree, std::string_view& name, TreeEntry& entry) {
  const size_t space = tree.find(' ');
  const size_t nul = tree.find('\0');
  if (space == std::string_view::npos || nul == std::string_view::npos || space > nul) return false;
  if (tree.size() - nul - 1 < kSha1Size) return false;
  name = tree.substr(space + 1, nul - space - 1);
  entry = {};
  std::from_chars(tree.data(), tree.data() + space, entry.mode, 8);
  std::copy_n(tree.data() + nul + 1, kSha1Size, reinterpret_cast<char*>(entry.id.data()));
  tree.remove_prefix(nul + 1 + kSha1Size);
  return true;
}

std::optional<TreeEntry> findInTree(std::string_view tree, std::string_view name) {
  std::string_view found;
  TreeEntry entry;
  while (nextInTree(tree, found, entry)) {
    if (found == name) return entry;
  }
  return std::nullopt;
}

Status findInCommit(const GitRepository& git, const Commit& commit, std::string_view path, std::optional<TreeEntry>& entry) {
  entry = TreeEntry{0040000, commit.tree};
  std::string tree;
  for (bool isLast = false; !isLast && entry;) {
    const size_t slash = path.find('/');
    isLast = slash == std::string_view::npos;
    if (!entry->isTree()) entry.reset();
    if (!entry) return {};
    if (Status status = readObject(git, entry->id, GIT_OBJECT_TREE, tree); !status.ok()) return status;
    entry = findInTree(tree, path.substr(0, slash));
    if (!isLast) path.remove_prefix(slash + 1);
  }
  return {};
}

ObjectPlace placeOf(const GitRepository& git, const ObjectId& id) {
  const git_oid oid = toGitOid(id.data());
  const std::string hex = toHex(id.data(), id.size());
  const std::string common = git.lib->repository_commondir(git.repository.get());
  std::string loose = common + (common.back() == '/' ? "" : "/") + "objects/" + hex.substr(0, 2) + '/' + hex.substr(2);
  struct stat found{};
  if (::lstat(loose.c_str(), &found) != 0) loose.clear();
  return {git.lib->odb_exists_ext(git.odb.get(), &oid, GIT_ODB_LOOKUP_NO_REFRESH) == 1, loose};
}

}  // namespace gates
