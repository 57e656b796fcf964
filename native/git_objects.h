#pragma once

#include <optional>
#include <vector>

#include "libgit2.h"

namespace gates {

using ObjectId = Sha1Digest;

struct IdHash {
  /** An id is a hash already. */
  size_t operator()(const ObjectId& id) const {
    size_t value = 0;
    std::memcpy(&value, id.data(), sizeof value);
    return value;
  }
};

/** Bytes of one object of the database. @returns ENOENT when it is not there or not of the type */
Status readObject(const GitRepository& git, const ObjectId& id, git_object_t type, std::string& content);

struct Commit {
  ObjectId tree{};
  std::vector<ObjectId> parents;
  /** Committer's time, seconds since the epoch. */
  int64_t time = 0;
  /** `Name <mail> seconds zone`, as it is written. */
  std::string author;

  int64_t authoredAt() const;
};

/**
 * Reads a commit, or recalls it: one hook call asks for the same thousands in several walks, and commits never change.
 *
 * @returns ENOENT when it is missing or no commit, kGitFailed when it cannot be parsed
 */
Status readCommit(const GitRepository& git, const ObjectId& id, Commit& commit);

/** A commit's message without the line breaks in front of it. @returns ENOENT when it is missing or no commit */
Status readMessage(const GitRepository& git, const ObjectId& id, std::string& message);

/** What an annotated tag is of. @returns ENOENT when it is missing or no tag, kGitFailed when it cannot be parsed */
Status readTagTarget(const GitRepository& git, const ObjectId& id, ObjectId& target);

/** The one cache of a database, by its common git directory. */
std::shared_ptr<CommitCache> commitCacheOf(const std::string& commonDir);

struct TreeEntry {
  uint32_t mode = 0;
  ObjectId id{};

  bool isTree() const { return mode == 0040000; }
  bool operator==(const TreeEntry& other) const { return mode == other.mode && id == other.id; }
};

/**
 * Takes the first entry off a tree's bytes: octal mode, space, name, NUL, 20 bytes of id (gitformat-tree in git's
 * documentation).
 *
 * @returns false at the end, or where the bytes are no entry
 */
bool nextInTree(std::string_view& tree, std::string_view& name, TreeEntry& entry);

/** Finds a name in a tree's bytes. */
std::optional<TreeEntry> findInTree(std::string_view tree, std::string_view name);

/** Entry of a path below a tree; nothing when there is none. @returns ENOENT when a tree on the way is missing */
Status findInCommit(const GitRepository& git, const Commit& commit, std::string_view path, std::optional<TreeEntry>& entry);

/** Whether the database has the object, and where its own file is; empty when it is in a pack or an alternate. */
struct ObjectPlace {
  bool exists = false;
  std::string loosePath;
};

ObjectPlace placeOf(const GitRepository& git, const ObjectId& id);

}  // namespace gates
