#pragma once

#include <string>

#include "certificate.h"
#include "deadline.h"

namespace gates::front {

/** Whether every file of a pinned tree still is what its row says, and that is known before time is up. */
bool treeHolds(const Fact& fact, const std::string& root, const Deadline& deadline);

}  // namespace gates::front
