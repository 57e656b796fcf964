#pragma once

#include "libgit2.h"

namespace gates {

/**
 * Puts an object database in front of the repository's own that keeps what is written to itself: libgit2 writes the blobs
 * of a merge in memory, and would touch the files of those that are there already. Reads go through.
 */
Status writeToMemory(const GitRepository& git);

}  // namespace gates
