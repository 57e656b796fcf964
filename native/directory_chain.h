#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "tree_path.h"

namespace gates {

/** The chain of open directories that leads to the last path; sorted paths share most of it. */
class DirectoryChain {
 public:
  explicit DirectoryChain(int root) : root_(root) {}

  /** Looks at a path of the tree, which a NUL byte follows. @param row what is there, or why nothing can be looked at */
  Status look(std::string_view path, const ScanClock& clock, Row& row);

 private:
  struct Link {
    size_t nameStart;
    Fd fd;
    PathKind kind;
  };

  void leaveUntil(std::string_view parent);
  Status descend(std::string_view parent);

  int root_;
  std::string current_;
  std::vector<Link> links_;
};

}  // namespace gates
