#pragma once

#include <string>
#include <vector>

#include "bytes.h"

namespace gates {

/**
 * `$Id$` as git does it (ident_to_worktree and ident_to_git in its convert.c). libgit2's own filter changes only the first
 * one, takes `$Idea$` for one, and leaves text with some bytes over 127 alone.
 */
std::string expandIdent(Bytes blob);
std::string collapseIdent(std::string_view text);

/** Hides dollar signs from libgit2's filter as another printable character, which line ending conversion leaves alone. */
class DollarMask {
 public:
  std::string hide(std::string_view text);
  void reveal(std::string& text) const;

 private:
  /** For each of the two characters, from the start of the text on, whether it was a dollar sign. */
  std::vector<bool> isDollar_;
};

}  // namespace gates
