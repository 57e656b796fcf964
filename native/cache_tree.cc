#include "cache_tree.h"

#include <algorithm>
#include <charconv>

namespace gates {

std::optional<Sha1Digest> cachedTree(const Index& index) {
  const auto isTree = [](const IndexExtension& extension) { return extension.name() == "TREE"; };
  const auto found = std::find_if(index.extensions.begin(), index.extensions.end(), isTree);
  if (found == index.extensions.end()) return std::nullopt;
  // The root stands first: an empty name, how many entries it covers, how many subtrees, and its id when it is valid.
  const std::string_view body = found->body.view();
  const size_t end = body.find('\n');
  if (body.empty() || body[0] != '\0' || end == std::string_view::npos || body.size() - end - 1 < kSha1Size) return std::nullopt;
  size_t covered = 0;
  const auto [next, error] = std::from_chars(body.data() + 1, body.data() + end, covered);
  if (error != std::errc() || *next != ' ' || covered != index.entries.size()) return std::nullopt;
  Sha1Digest tree{};
  std::copy_n(body.begin() + static_cast<ptrdiff_t>(end + 1), kSha1Size, tree.begin());
  return tree;
}

}  // namespace gates
