#include "configuration.h"

namespace gates {

Status readConfiguration(const GitRepository& git, const std::string& keys, Configuration& values) {
  const LibGit2& lib = *git.lib;
  git_config* config = nullptr;
  Status status = gitStatus(lib, lib.repository_config_snapshot(&config, git.repository.get()), "git_repository_config_snapshot");
  const GitOwned<git_config> ownedConfig(config, lib.config_free);
  if (!status.ok()) return status;
  git_config_iterator* iterator = nullptr;
  status = gitStatus(lib, lib.config_iterator_glob_new(&iterator, config, keys.c_str()), "git_config_iterator_glob_new");
  const GitOwned<git_config_iterator> ownedIterator(iterator, lib.config_iterator_free);
  if (!status.ok()) return status;
  for (;;) {
    git_config_entry* entry = nullptr;
    const int result = lib.config_next(&entry, iterator);
    if (result == GIT_ITEROVER) return {};
    if (result != 0) return gitStatus(lib, result, "git_config_next");
    values.emplace_back(entry->name, entry->value == nullptr ? "true" : entry->value);
  }
}

}  // namespace gates
