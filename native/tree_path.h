#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "fd.h"
#include "stat_row.h"
#include "status.h"

namespace gates {

/** Opens a directory given by an absolute path; links in it are followed, because the caller named it. */
Status openRoot(const std::string& root, Fd& fd);

/**
 * Opens one directory inside another without following links.
 *
 * @param kind kDirectory when opened, else kAbsent or kUnreachable
 * @returns errors of the process (descriptors, memory), never of the path
 */
Status openChild(int parent, const char* name, Fd& fd, PathKind& kind);

/** Looks at a name without following it: absent when nothing is there, unreachable when it may not be looked at. */
Row statChild(int parent, const char* name, const ScanClock& clock);

/** A path's last name in its parent directory, which stays open. */
struct TreePlace {
  Fd parent;
  std::string name;
  std::string path;
  /** When the place was opened. */
  ScanClock clock;

  Row look() const { return statChild(parent.get(), name.c_str(), clock); }
};

/** A directory that was made on the way, so that it can be taken back. */
struct MadeDirectory {
  Fd parent;
  std::string name;
};
using MadeDirectories = std::vector<MadeDirectory>;

/**
 * Opens the parents of a repository path from the root, none of them through a link.
 *
 * @param made when given, missing parents are made and noted
 * @param kind kDirectory when every parent is there, else kAbsent or kUnreachable
 * @returns EINVAL for a path that could leave the tree or enter a `.git`
 */
Status openParents(const std::string& root, std::string_view path, MadeDirectories* made, TreePlace& place, PathKind& kind);

/** Removes those that are empty, deepest first. */
void removeMade(const MadeDirectories& made);

}  // namespace gates
