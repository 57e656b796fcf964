#include "libgit2.h"

#include <dlfcn.h>

#include "git_objects.h"
#include "plain.h"

namespace gates {

bool loadLibGit2(const std::string& binary, LibGit2& lib) {
  // Loading it is Node's work: an addon that is opened here would register itself in the wrong place.
  void* handle = ::dlopen(binary.c_str(), RTLD_NOW | RTLD_NOLOAD);
  if (handle == nullptr) return false;
#define GATES_RESOLVE(name)                                                            \
  lib.name = reinterpret_cast<decltype(lib.name)>(::dlsym(handle, "git_" #name));      \
  if (lib.name == nullptr) return false;
  GATES_LIBGIT2_FUNCTIONS(GATES_RESOLVE)
#undef GATES_RESOLVE
  int major = 0;
  int minor = 0;
  int revision = 0;
  lib.libgit2_version(&major, &minor, &revision);
  return major == LIBGIT2_VERSION_MAJOR && minor == LIBGIT2_VERSION_MINOR && lib.libgit2_init() > 0;
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

git_oid toGitOid(const uint8_t* oid) {
  git_oid id{};
  std::memcpy(id.id, oid, kSha1Size);
  return id;
}

}  // namespace gates
