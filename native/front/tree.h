#pragma once

#include <sys/types.h>

#include <optional>
#include <string>

#include "../compare_tree.h"
#include "../handed_scan.h"
#include "../mapped_file.h"

#include "certificate.h"
#include "deadline.h"

namespace gates::front {

/** A look at a pinned tree, which goes on in a process of its own where it found that Node is needed. */
class TreeLook {
 public:
  /** @param root the state root */
  TreeLook(const Fact& fact, std::string root);
  TreeLook(const TreeLook&) = delete;
  TreeLook& operator=(const TreeLook&) = delete;

  /** Whether every file still is what its row says, and that is known before time is up. */
  bool holds(const Deadline& deadline);

  /**
   * Has the rest of a tree looked at while Node starts, where it was left because something differs.
   *
   * @param scanner the process, whose end Node waits for
   * @returns the end of a pipe from which Node reads what differs; -1 when nobody looks on
   */
  int goOn(pid_t& scanner);

 private:
  bool open(const Deadline& deadline);
  void finish(int to);

  HandedScan handed_;
  PinnedTree pinned_;
  MappedFile index_;
  MappedFile table_;
  std::optional<TreeComparison> comparison_;
  bool isGood_ = false;
  std::string stateRoot_;
};

}  // namespace gates::front
