#include "merge_text.h"

#include <algorithm>

namespace gates {

namespace {

/** Git takes a file for binary when there is a NUL among its first bytes. */
constexpr size_t kLookedAt = 8000;

bool isBinary(Bytes bytes) { return bytes.view().substr(0, kLookedAt).find('\0') != std::string_view::npos; }

git_merge_file_input toInput(Bytes bytes) {
  git_merge_file_input input = GIT_MERGE_FILE_INPUT_INIT;
  input.ptr = bytes.data != nullptr ? reinterpret_cast<const char*>(bytes.data) : "";
  input.size = bytes.size;
  return input;
}

}  // namespace

Status mergeText(const LibGit2& lib, Bytes base, Bytes ours, Bytes theirs, std::optional<std::string>& merged) {
  merged.reset();
  if (isBinary(base) || isBinary(ours) || isBinary(theirs)) return {};
  const git_merge_file_input ancestor = toInput(base);
  const git_merge_file_input left = toInput(ours);
  const git_merge_file_input right = toInput(theirs);
  git_merge_file_result result{};
  const int done = lib.merge_file(&result, &ancestor, &left, &right, nullptr);
  if (Status status = gitStatus(lib, done, "git_merge_file"); !status.ok()) return status;
  if (result.automergeable != 0) merged.emplace(result.ptr != nullptr ? result.ptr : "", result.len);
  lib.merge_file_result_free(&result);
  return {};
}

}  // namespace gates
