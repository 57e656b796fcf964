#include "tree.h"

#include <algorithm>

#include "../compare_tree.h"
#include "../mapped_file.h"
#include "../stat_table.h"
#include "state.h"

namespace gates::front {

namespace {

/** A file of the state directory in memory, as far as it is looked at. */
bool mapInState(const std::string& root, std::string_view path, MappedFile& mapped) {
  const Fd file = openInState(root, path);
  return file.isOpen() && mapped.map(file.get(), path).ok() && mapped.bytes().data != nullptr;
}

}  // namespace

bool treeHolds(const Fact& fact, const std::string& root, const Deadline& deadline) {
  FactReader reader(fact.body);
  PinnedTree pinned;
  pinned.root = reader.text();
  const std::string_view index = reader.text();
  const std::string_view table = reader.text();
  const std::string_view patch = reader.text();
  for (uint32_t left = reader.u32(); left > 0 && reader.isGood(); left--) pinned.ignored.push_back(reader.text());
  if (!reader.isWhole() || !std::is_sorted(pinned.ignored.begin(), pinned.ignored.end())) return false;

  MappedFile indexFile;
  MappedFile tableFile;
  MappedFile patchFile;
  if (!mapInState(root, index, indexFile) || !mapInState(root, table, tableFile)) return false;
  if (!patch.empty() && (!mapInState(root, patch, patchFile) ||
                         !applyPatch(tableFile.data(), tableFile.bytes().size, patchFile.bytes()).ok()))
    return false;
  pinned.index = indexFile.bytes();
  pinned.table = tableFile.bytes();
  pinned.isMapped = true;
  pinned.onlyWhether = true;
  pinned.giveUpAtMs = deadline.endMs();
  std::vector<Difference> found;
  return compareTree(pinned, found).ok() && found.empty();
}

}  // namespace gates::front
