#include "filter.h"

#include "ident.h"

namespace gates {

namespace {

AttributeValue toValue(const LibGit2& lib, const char* value) {
  switch (lib.attr_value(value)) {
    case GIT_ATTR_VALUE_TRUE:
      return {AttributeValue::Kind::kTrue, {}};
    case GIT_ATTR_VALUE_FALSE:
      return {AttributeValue::Kind::kFalse, {}};
    case GIT_ATTR_VALUE_STRING:
      return {AttributeValue::Kind::kText, value};
    default:
      return {};
  }
}

/** Line endings, and whatever else libgit2 has for the path. */
Status applyFilters(const GitRepository& git, const std::string& path, std::string_view bytes, Direction direction,
                    std::string& converted) {
  const LibGit2& lib = *git.lib;
  git_filter_list* list = nullptr;
  const git_filter_mode_t mode = direction == Direction::kSmudge ? GIT_FILTER_TO_WORKTREE : GIT_FILTER_TO_ODB;
  // Unsafe: `core.safecrlf` is a warning for people, no other conversion. The system's attributes are pinned by nobody.
  constexpr uint32_t kFlags = GIT_FILTER_ALLOW_UNSAFE | GIT_FILTER_NO_SYSTEM_ATTRIBUTES;
  const int loaded = lib.filter_list_load(&list, git.repository.get(), nullptr, path.c_str(), mode, kFlags);
  if (Status status = gitStatus(lib, loaded, "git_filter_list_load", path); !status.ok()) return status;
  const GitOwned<git_filter_list> owned(list, lib.filter_list_free);

  git_buf out = GIT_BUF_INIT;
  const char* text = bytes.empty() ? "" : bytes.data();
  const int applied = lib.filter_list_apply_to_buffer(&out, list, text, bytes.size());
  if (Status status = gitStatus(lib, applied, "git_filter_list_apply_to_buffer", path); !status.ok()) return status;
  converted.assign(out.ptr != nullptr ? out.ptr : "", out.size);
  lib.buf_dispose(&out);
  return {};
}

}  // namespace

Status convert(const GitRepository& git, const std::string& path, Bytes bytes, Direction direction, std::string& converted) {
  if (git.isPlain) {
    converted = bytes.view();
    return {};
  }
  std::vector<AttributeValue> ident;
  if (Status status = readAttributes(git, path, {"ident"}, ident); !status.ok()) return status;
  if (ident.front().kind != AttributeValue::Kind::kTrue) {
    return applyFilters(git, path, bytes.view(), direction, converted);
  }
  const bool isSmudge = direction == Direction::kSmudge;
  DollarMask mask;
  const std::string masked = mask.hide(isSmudge ? expandIdent(bytes) : std::string(bytes.view()));
  if (Status status = applyFilters(git, path, masked, direction, converted); !status.ok()) return status;
  mask.reveal(converted);
  if (!isSmudge) converted = collapseIdent(converted);
  return {};
}

Status readAttributes(const GitRepository& git, const std::string& path, const std::vector<std::string>& names,
                      std::vector<AttributeValue>& values) {
  values.assign(names.size(), {});
  if (git.isPlain) return {};
  std::vector<const char*> asked;
  for (const std::string& name : names) asked.push_back(name.c_str());
  std::vector<const char*> found(names.size());
  git_attr_options options = GIT_ATTR_OPTIONS_INIT;
  options.flags = GIT_ATTR_CHECK_INDEX_ONLY | GIT_ATTR_CHECK_NO_SYSTEM;
  const int result = git.lib->attr_get_many_ext(found.data(), git.repository.get(), &options, path.c_str(), names.size(),
                                                asked.data());
  if (Status status = gitStatus(*git.lib, result, "git_attr_get_many", path); !status.ok()) return status;
  values.clear();
  for (const char* value : found) values.push_back(toValue(*git.lib, value));
  return {};
}

}  // namespace gates
