#pragma once

#include <string>
#include <vector>

#include "git_objects.h"

namespace gates {

/**
 * Paths of files, links and submodules whose mode or id differ between the trees of two commits, sorted.
 *
 * @returns ENOENT when a commit or a tree that differs is not in the database
 */
Status diffCommits(const GitRepository& git, const ObjectId& from, const ObjectId& to, std::vector<std::string>& paths);

}  // namespace gates
