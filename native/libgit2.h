#pragma once

#include <git2.h>
#include <git2/sys/odb_backend.h>
#include <git2/sys/repository.h>

#include <memory>

#include "bytes.h"
#include "sha1.h"
#include "status.h"

namespace gates {

// clang-format off
#define GATES_LIBGIT2_FUNCTIONS(X)                                                                   \
  X(libgit2_init) X(libgit2_opts) X(libgit2_version) X(error_last) X(buf_dispose)                                    \
  X(repository_open_bare) X(repository_open_ext) X(repository_free) X(repository_set_index) X(repository_odb)               \
  X(repository_commondir) X(index_open) X(index_entrycount) X(index_free) X(attr_get_many_ext) X(attr_value)             \
  X(filter_list_load) X(filter_list_apply_to_buffer) X(filter_list_free) X(filter_list_contains)                             \
  X(repository_config_snapshot) X(config_free) X(config_iterator_glob_new) X(config_iterator_free)   \
  X(config_next)                                                                                     \
  X(odb_free) X(odb_read) X(odb_exists_ext) X(odb_object_data) X(odb_object_size) X(odb_object_type)     \
  X(odb_object_free) X(odb_open_rstream) X(odb_stream_read) X(odb_stream_free) X(merge_file) X(merge_file_result_free)                                         \
  X(odb_new) X(odb_add_backend) X(odb_backend_data_alloc) X(odb_read_header) X(odb_exists)           \
  X(repository_set_odb) X(commit_lookup) X(commit_free) X(commit_tree) X(merge_commits) X(merge_base)  \
  X(merge_trees) X(cherrypick_commit) X(revert_commit) X(index_get_bypath) X(index_has_conflicts)    \
  X(index_write_tree_to) X(tree_lookup) X(tree_free)
// clang-format on

/** libgit2's functions, as nodegit's binary exports them. */
struct LibGit2 {
#define GATES_DECLARE(name) decltype(&git_##name) name = nullptr;
  GATES_LIBGIT2_FUNCTIONS(GATES_DECLARE)
#undef GATES_DECLARE
};

/**
 * Loads nodegit's binary as a library, without making a module of it, and starts libgit2.
 *
 * @returns ENOSYS when it cannot be loaded, lacks a function, or has another libgit2 than this was compiled for
 */
Status loadLibGit2(const std::string& binary, LibGit2& lib);

/** A native object, and the library's function that frees it. */
template <typename Object>
using GitOwned = std::unique_ptr<Object, void (*)(Object*)>;

/** Commits that were read, by their ids. */
struct CommitCache;

/** An open repository without a work tree. */
struct GitRepository {
  const LibGit2* lib;
  GitOwned<git_repository> repository;
  GitOwned<git_odb> odb;
  /** Opened with an index of attributes, and nothing converts anything: see `convertsNothing`. */
  bool isPlain = false;
  /** Shared by all that were opened with the same database. */
  std::shared_ptr<CommitCache> commits;
};

/** Success, ENOENT for what is missing, else kGitFailed with the library's own words. */
Status gitStatus(const LibGit2& lib, int result, const char* step, std::string_view path = {});

/**
 * @param indexPath where attributes come from; empty: the repository's own index
 */
Status openRepository(const LibGit2& lib, const std::string& gitDir, const std::string& indexPath,
                      std::unique_ptr<GitRepository>& opened);

/** Whether git's own rules let this user work with the repository. @returns as {@link gitStatus} */
Status checkRepository(const LibGit2& lib, const std::string& gitDir);

git_oid toGitOid(const uint8_t* oid);

}  // namespace gates
