#pragma once

#include <functional>
#include <string>
#include <vector>

#include "bytes.h"
#include "status.h"

namespace gates {

/**
 * `$Id$` as git does it (ident_to_worktree and ident_to_git in its convert.c). libgit2's own filter changes only the first
 * one, takes `$Idea$` for one, and leaves text with some bytes over 127 alone.
 */
std::string expandIdent(Bytes blob);
/** The same in pieces of about a megabyte, in order. @returns the first failure of `take` */
Status expandIdentInto(Bytes blob, const std::function<Status(Bytes)>& take);
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
