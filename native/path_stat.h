#pragma once

#include <optional>

#include "tree_path.h"

namespace gates {

struct PathStat {
  Row row;
  uint64_t nlink = 0;
};

/** Looks at a path of the tree, no link followed. What cannot be looked at is a row that says so. */
Status statPath(const std::string& root, std::string_view path, PathStat& found);

/** When a file was made, in milliseconds; nothing where the file system does not keep that. */
std::optional<double> birthTimeMs(const std::string& path);

}  // namespace gates
