#include "fuzz.h"
#include "git_objects.h"

namespace fuzz {

void tree(Bytes input) {
  const std::string_view name = takeShort(input).view();
  const auto entry = gates::findInTree(input.view(), name);
  check(!entry || input.view().find(name) != std::string_view::npos, "what is found stands in the tree");
}

}  // namespace fuzz
