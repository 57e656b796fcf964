#pragma once

#include <optional>

#include "libgit2.h"

namespace gates {

/** Three-way merge of contents, as git merges a file. @param merged nothing when lines conflict or a content is binary */
Status mergeText(const LibGit2& lib, Bytes base, Bytes ours, Bytes theirs, std::optional<std::string>& merged);

}  // namespace gates
