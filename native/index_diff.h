#pragma once

#include <vector>

#include "index_file.h"

namespace gates {

/**
 * Paths whose stages differ in mode, id or flags, sorted. The views point into the indexes.
 */
std::vector<std::string_view> diffIndexes(const Index& before, const Index& after);

}  // namespace gates
