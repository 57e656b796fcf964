#include "filter.h"

#include <git2/sys/filter.h>

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

using FilterList = GitOwned<git_filter_list>;

/** Line endings, and whatever else libgit2 has for the path; an empty list changes nothing. */
Status loadFilters(const GitRepository& git, const std::string& path, Direction direction, FilterList& filters) {
  git_filter_list* list = nullptr;
  const git_filter_mode_t mode = direction == Direction::kSmudge ? GIT_FILTER_TO_WORKTREE : GIT_FILTER_TO_ODB;
  // Unsafe: `core.safecrlf` is a warning for people, no other conversion. The system's attributes are pinned by nobody.
  constexpr uint32_t kFlags = GIT_FILTER_ALLOW_UNSAFE | GIT_FILTER_NO_SYSTEM_ATTRIBUTES;
  const int loaded = git.lib->filter_list_load(&list, git.repository.get(), nullptr, path.c_str(), mode, kFlags);
  filters.reset(list);
  return gitStatus(*git.lib, loaded, "git_filter_list_load", path);
}

Status applyFilters(const GitRepository& git, const std::string& path, std::string_view bytes, Direction direction,
                    const std::function<Status(Bytes)>& use) {
  const LibGit2& lib = *git.lib;
  FilterList filters(nullptr, lib.filter_list_free);
  if (Status status = loadFilters(git, path, direction, filters); !status.ok()) return status;
  if (filters == nullptr) return use(bytesOf(bytes));

  git_buf out = GIT_BUF_INIT;
  const char* text = bytes.empty() ? "" : bytes.data();
  const int applied = lib.filter_list_apply_to_buffer(&out, filters.get(), text, bytes.size());
  if (Status status = gitStatus(lib, applied, "git_filter_list_apply_to_buffer", path); !status.ok()) return status;
  const Status used = use(bytesOf({out.ptr != nullptr ? out.ptr : "", out.size}));
  lib.buf_dispose(&out);
  return used;
}

/** Whether libgit2 has more to do at a path with `ident` than that, which it gets wrong. */
Status convertsEndings(const GitRepository& git, const std::string& path, Direction direction, bool& converts) {
  FilterList filters(nullptr, git.lib->filter_list_free);
  const Status status = loadFilters(git, path, direction, filters);
  converts = filters != nullptr && git.lib->filter_list_contains(filters.get(), GIT_FILTER_CRLF) == 1;
  return status;
}

Status hasIdent(const GitRepository& git, const std::string& path, bool& has) {
  std::vector<AttributeValue> ident;
  if (Status status = readAttributes(git, path, {"ident"}, ident); !status.ok()) return status;
  has = ident.front().kind == AttributeValue::Kind::kTrue;
  return {};
}

}  // namespace

Status convertInto(const GitRepository& git, const std::string& path, Bytes bytes, Direction direction,
                   const std::function<Status(Bytes)>& use) {
  if (git.isPlain) return use(bytes);
  bool isIdent = false;
  if (Status status = hasIdent(git, path, isIdent); !status.ok()) return status;
  if (!isIdent) return applyFilters(git, path, bytes.view(), direction, use);

  const bool isSmudge = direction == Direction::kSmudge;
  bool hasEndings = false;
  if (Status status = convertsEndings(git, path, direction, hasEndings); !status.ok()) return status;
  if (!hasEndings) return isSmudge ? expandIdentInto(bytes, use) : use(bytesOf(collapseIdent(bytes.view())));

  DollarMask mask;
  std::string masked = mask.hide(isSmudge ? expandIdent(bytes) : std::string(bytes.view()));
  std::string converted;
  const auto take = [&](Bytes filtered) {
    converted = filtered.view();
    return Status{};
  };
  if (Status status = applyFilters(git, path, masked, direction, take); !status.ok()) return status;
  std::string().swap(masked);
  mask.reveal(converted);
  return use(bytesOf(isSmudge ? converted : collapseIdent(converted)));
}

Status mayConvert(const GitRepository& git, const std::string& path, Direction direction, bool& may) {
  may = false;
  if (git.isPlain) return {};
  if (Status status = hasIdent(git, path, may); !status.ok() || may) return status;
  FilterList filters(nullptr, git.lib->filter_list_free);
  Status status = loadFilters(git, path, direction, filters);
  may = filters != nullptr;
  return status;
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
