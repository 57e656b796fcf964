#pragma once

#include <sys/stat.h>

#include "fd.h"
#include "status.h"

namespace gates {

/**
 * Takes a kernel lock on a file or directory without waiting. It goes with the descriptor, so a killed holder leaves none.
 *
 * @param isMade make a missing file, mode 0600
 * @param fd stays closed when somebody else holds the lock
 * @returns the errno of a file system without locks (ENOLCK, EOPNOTSUPP), ELOOP for a link
 */
Status lockFile(const std::string& path, bool isMade, Fd& fd, struct stat& locked);

/** Whether the path still names the locked file. */
Status lockHolds(int fd, const std::string& path, bool& holds);

}  // namespace gates
