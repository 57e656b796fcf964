#include "fuzz.h"
#include "ident.h"

namespace fuzz {

void ident(Bytes input) {
  // As with git, collapsing is neither idempotent nor the inverse of expanding; what it gives is tested against git.
  (void)gates::collapseIdent(input.view());
  (void)gates::expandIdent(input);

  gates::DollarMask mask;
  std::string hidden = mask.hide(input.view());
  check(hidden.find('$') == std::string::npos, "no dollar sign is left");
  mask.reveal(hidden);
  check(hidden == input.view(), "revealing undoes hiding");
}

}  // namespace fuzz
