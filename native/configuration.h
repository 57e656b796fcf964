#pragma once

#include <string>
#include <utility>
#include <vector>

#include "libgit2.h"

namespace gates {

/** Keys and values as libgit2 sees them, lowest level first, so that a later value of a key wins. */
using Configuration = std::vector<std::pair<std::string, std::string>>;

/** @param keys a regular expression */
Status readConfiguration(const GitRepository& git, const std::string& keys, Configuration& values);

}  // namespace gates
