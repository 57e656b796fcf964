#pragma once

#include <string>

#include "deadline.h"
#include "tree.h"

namespace gates::front {

/** Standard input as far as it was read. */
struct Input {
  std::string bytes;
  bool isWhole = false;
};

/** Reads standard input up to a limit, beyond which a payload is Node's to judge. */
Input readInput();

/**
 * Becomes Node with the hook's bundle, the same arguments and the same standard input; `NODE_OPTIONS` and
 * `NODE_EXTRA_CA_CERTS` do not reach it, and it is told how much of the call's time is spent.
 *
 * @param left a look at a tree that goes on meanwhile, or nullptr
 * @returns the exit code of a hook that lets the call through, when that cannot be
 */
int becomeNode(int argc, char** argv, const Input& input, const Deadline& deadline, TreeLook* left);

}  // namespace gates::front
