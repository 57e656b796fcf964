#include "libgit2.h"

#include <dlfcn.h>

#include "git_objects.h"
#include "plain.h"

namespace gates {

Status loadLibGit2(const std::string& binary, LibGit2& lib) {
  // What makes a module of it stands in a function that only Node calls: nothing registers itself here.
  void* handle = ::dlopen(binary.c_str(), RTLD_NOW | RTLD_LOCAL);
  if (handle == nullptr) return fail(ENOSYS, "dlopen", binary, ::dlerror());
#define GATES_RESOLVE(name)                                                            \
  lib.name = reinterpret_cast<decltype(lib.name)>(::dlsym(handle, "git_" #name));      \
  if (lib.name == nullptr) return fail(ENOSYS, "dlsym", binary, "git_" #name " is missing");
  GATES_LIBGIT2_FUNCTIONS(GATES_RESOLVE)
#undef GATES_RESOLVE
  int major = 0;
  int minor = 0;
  int revision = 0;
  lib.libgit2_version(&major, &minor, &revision);
  if (major != LIBGIT2_VERSION_MAJOR || minor != LIBGIT2_VERSION_MINOR) return fail(ENOSYS, "dlopen", binary, "another libgit2");
  return lib.libgit2_init() > 0 ? Status{} : fail(ENOSYS, "git_libgit2_init", binary);
}

Status gitStatus(const LibGit2& lib, int result, const char* step, std::string_view path) {
  if (result >= 0) return {};
  const git_error* error = lib.error_last();
  const std::string words = error != nullptr && error->message != nullptr ? error->message : "";
  return fail(result == GIT_ENOTFOUND ? ENOENT : kGitFailed, step, path, words);
}

Status openRepository(const LibGit2& lib, const std::string& gitDir, const std::string& indexPath,
                      std::unique_ptr<GitRepository>& opened) {
  git_repository* repository = nullptr;
  Status status = gitStatus(lib, lib.repository_open_bare(&repository, gitDir.c_str()), "git_repository_open_bare", gitDir);
  if (!status.ok()) return status;
  auto made = std::make_unique<GitRepository>(
      GitRepository{&lib, {repository, lib.repository_free}, {nullptr, lib.odb_free}, false, {}});
  git_odb* odb = nullptr;
  status = gitStatus(lib, lib.repository_odb(&odb, repository), "git_repository_odb", gitDir);
  made->odb.reset(odb);
  made->commits = commitCacheOf(lib.repository_commondir(repository));
  if (status.ok() && !indexPath.empty()) {
    git_index* index = nullptr;
    status = gitStatus(lib, lib.index_open(&index, indexPath.c_str()), "git_index_open", indexPath);
    const GitOwned<git_index> owned(index, lib.index_free);
    if (status.ok()) {
      status = gitStatus(lib, lib.repository_set_index(repository, index), "git_repository_set_index", indexPath);
    }
    made->isPlain = status.ok() && lib.index_entrycount(index) == 0 && convertsNothing(*made, gitDir);
  }
  if (status.ok()) opened = std::move(made);
  return status;
}

Status checkRepository(const LibGit2& lib, const std::string& gitDir) {
  git_repository* repository = nullptr;
  const int result = lib.repository_open_ext(&repository, gitDir.c_str(), GIT_REPOSITORY_OPEN_NO_SEARCH, nullptr);
  const GitOwned<git_repository> owned(repository, lib.repository_free);
  return gitStatus(lib, result, "git_repository_open_ext", gitDir);
}

git_oid toGitOid(const uint8_t* oid) {
  git_oid id{};
  std::memcpy(id.id, oid, kSha1Size);
  return id;
}

}  // namespace gates
