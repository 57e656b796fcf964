#include "plain.h"

#include <sys/stat.h>

#include <algorithm>
#include <cerrno>

#include "configuration.h"

namespace gates {

namespace {

bool isMissingOrEmpty(const std::string& file) {
  struct stat found{};
  return ::stat(file.c_str(), &found) == 0 ? found.st_size == 0 : errno == ENOENT || errno == ENOTDIR;
}

/** Whether no directory that libgit2 searches at this level has the file. */
bool isNowhere(const LibGit2& lib, git_config_level_t level, const char* name) {
  git_buf folders = GIT_BUF_INIT;
  if (lib.libgit2_opts(GIT_OPT_GET_SEARCH_PATH, level, &folders) != 0) return false;
  std::string_view rest(folders.ptr == nullptr ? "" : folders.ptr, folders.size);
  bool isClean = true;
  while (isClean && !rest.empty()) {
    const size_t end = std::min(rest.find(GIT_PATH_LIST_SEPARATOR), rest.size());
    isClean = end == 0 || isMissingOrEmpty(std::string(rest.substr(0, end)) + '/' + name);
    rest.remove_prefix(std::min(end + 1, rest.size()));
  }
  lib.buf_dispose(&folders);
  return isClean;
}

}  // namespace

bool convertsNothing(const GitRepository& git, const std::string& gitDir) {
  Configuration values;
  if (!readConfiguration(git, "^core\\.(attributesfile|autocrlf)$", values).ok()) return false;
  std::string autocrlf = "false";
  for (const auto& [key, value] : values) {
    if (key != "core.attributesfile") autocrlf = value;
    else if (value[0] != '/' || !isMissingOrEmpty(value)) return false;
  }
  return autocrlf == "false" && isMissingOrEmpty(gitDir + "/info/attributes") &&
         isNowhere(*git.lib, GIT_CONFIG_LEVEL_SYSTEM, "gitattributes") &&
         isNowhere(*git.lib, GIT_CONFIG_LEVEL_XDG, "attributes");
}

}  // namespace gates
