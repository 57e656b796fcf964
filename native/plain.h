#pragma once

#include <string>

#include "libgit2.h"

namespace gates {

/**
 * Whether no attributes file outside of the index and no setting could convert anything, which is how most repositories are:
 * asking libgit2 for each path would tell the same in 20 microseconds each.
 *
 * @returns false when in doubt
 */
bool convertsNothing(const GitRepository& git, const std::string& gitDir);

}  // namespace gates
