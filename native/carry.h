#pragma once

#include <string>

namespace gates {

/**
 * Gives a new file the owner, access list and `user.*` attributes of the one that it will replace, as far as this
 * process may. Permission bits are the caller's, and come after.
 */
void carryAttributes(int directory, const std::string& from, int toFile);

}  // namespace gates
