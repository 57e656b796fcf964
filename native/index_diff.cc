#include "index_diff.h"

namespace gates {

namespace {

bool sameStages(const Index& before, size_t from, size_t to, const Index& after, size_t at, size_t end) {
  if (to - from != end - at) return false;
  for (; from < to; from++, at++) {
    const IndexEntry& left = before.entries[from];
    const IndexEntry& right = after.entries[at];
    if (left.stage() != right.stage() || !left.sameContent(right)) return false;
  }
  return true;
}

}  // namespace

std::vector<std::string_view> diffIndexes(const Index& before, const Index& after) {
  std::vector<std::string_view> paths;
  size_t left = 0;
  size_t right = 0;
  while (left < before.entries.size() && right < after.entries.size()) {
    const std::string_view leftPath = before.entries[left].path;
    const std::string_view rightPath = after.entries[right].path;
    const int order = leftPath.compare(rightPath);
    const size_t leftEnd = order <= 0 ? before.endOfPath(left) : left;
    const size_t rightEnd = order >= 0 ? after.endOfPath(right) : right;
    if (!sameStages(before, left, leftEnd, after, right, rightEnd)) paths.push_back(order <= 0 ? leftPath : rightPath);
    left = leftEnd;
    right = rightEnd;
  }
  for (; left < before.entries.size(); left = before.endOfPath(left)) paths.push_back(before.entries[left].path);
  for (; right < after.entries.size(); right = after.endOfPath(right)) paths.push_back(after.entries[right].path);
  return paths;
}

}  // namespace gates
