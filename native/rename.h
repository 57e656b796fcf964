#pragma once

#include <string>

namespace gates {

/** Swaps two names of one directory. @returns 0 or an errno; EINVAL or ENOSYS where that is not supported */
int exchangeNames(int directory, const std::string& left, const std::string& right);

/** Renames without replacing what is there. @returns 0 or an errno, EEXIST when the new name is taken */
int renameNoReplace(int fromDirectory, const std::string& from, int toDirectory, const std::string& to);

}  // namespace gates
