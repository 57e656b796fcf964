#pragma once

#include <string>

#include "certificate.h"

namespace gates::front {

/** Whether every file of a pinned tree still is what its row says. */
bool treeHolds(const Fact& fact, const std::string& root);

}  // namespace gates::front
