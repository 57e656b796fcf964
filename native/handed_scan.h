#pragma once

#include <string>
#include <vector>

#include "compare_tree.h"

namespace gates {

/** What the front found of a tree, for the Node that it started. */
struct HandedScan {
  std::string root;
  /** Pinned index, table and patch that the tree was held against, as a certificate names them. */
  std::string index;
  std::string table;
  std::string patch;
  std::vector<Difference> found;
};

std::string encodeScan(const HandedScan& scan);

/** @returns kBadTable for anything but a whole one: a scanner that fails or dies leaves none */
Status decodeScan(Bytes bytes, HandedScan& scan);

}  // namespace gates
