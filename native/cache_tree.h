#pragma once

#include <optional>

#include "index_file.h"

namespace gates {

/**
 * Id of the tree that all entries together would be written as, where the index has it: git keeps it in the `TREE` extension
 * and takes it away with the first entry that changes (gitformat-index(5), "Cache tree").
 */
std::optional<Sha1Digest> cachedTree(const Index& index);

}  // namespace gates
