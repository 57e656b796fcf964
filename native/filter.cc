#include "filter.h"

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

}  // namespace

Status convert(const GitRepository& git, const std::string& path, Bytes bytes, Direction direction, std::string& converted) {
  const LibGit2& lib = *git.lib;
  const bool isSmudge = direction == Direction::kSmudge;
  // Only ident asks for the blob, for the id that it writes.
  git_blob* blob = nullptr;
  if (isSmudge) {
    const git_oid id = toGitOid(blobId(bytes).data());
    lib.blob_lookup(&blob, git.repository.get(), &id);
  }
  const GitOwned<git_blob> ownedBlob(blob, lib.blob_free);

  git_filter_list* list = nullptr;
  const git_filter_mode_t mode = isSmudge ? GIT_FILTER_TO_WORKTREE : GIT_FILTER_TO_ODB;
  const int loaded = lib.filter_list_load(&list, git.repository.get(), blob, path.c_str(), mode, GIT_FILTER_ALLOW_UNSAFE);
  if (Status status = gitStatus(lib, loaded, "git_filter_list_load", path); !status.ok()) return status;
  const GitOwned<git_filter_list> ownedList(list, lib.filter_list_free);
  if (isSmudge && blob == nullptr && lib.filter_list_contains(list, "ident") != 0) {
    return fail(ENOENT, "git_blob_lookup", path);
  }

  git_buf out = GIT_BUF_INIT;
  const auto* text = reinterpret_cast<const char*>(bytes.data);
  const int applied = lib.filter_list_apply_to_buffer(&out, list, bytes.size > 0 ? text : "", bytes.size);
  if (Status status = gitStatus(lib, applied, "git_filter_list_apply_to_buffer", path); !status.ok()) return status;
  converted.assign(out.ptr != nullptr ? out.ptr : "", out.size);
  lib.buf_dispose(&out);
  return {};
}

Status readAttributes(const GitRepository& git, const std::string& path, const std::vector<std::string>& names,
                      std::vector<AttributeValue>& values) {
  std::vector<const char*> asked;
  for (const std::string& name : names) asked.push_back(name.c_str());
  std::vector<const char*> found(names.size());
  git_attr_options options = GIT_ATTR_OPTIONS_INIT;
  options.flags = GIT_ATTR_CHECK_INDEX_ONLY;
  const int result = git.lib->attr_get_many_ext(found.data(), git.repository.get(), &options, path.c_str(), names.size(),
                                                asked.data());
  if (Status status = gitStatus(*git.lib, result, "git_attr_get_many", path); !status.ok()) return status;
  values.clear();
  for (const char* value : found) values.push_back(toValue(*git.lib, value));
  return {};
}

}  // namespace gates
