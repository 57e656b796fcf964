#include "tree.h"

#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>

#include "../compare_tree.h"
#include "state.h"

namespace gates::front {

namespace {

/** A file of the state directory in memory, as far as it is looked at. */
class MappedFile {
 public:
  MappedFile(const std::string& root, std::string_view path) {
    const Fd file = openInState(root, path);
    struct stat found{};
    if (!file.isOpen() || ::fstat(file.get(), &found) != 0 || found.st_size <= 0) return;
    const size_t size = static_cast<size_t>(found.st_size);
    void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file.get(), 0);
    if (start != MAP_FAILED) bytes_ = {static_cast<const uint8_t*>(start), size};
  }
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile() {
    if (bytes_.data != nullptr) ::munmap(const_cast<uint8_t*>(bytes_.data), bytes_.size);
  }

  Bytes bytes() const { return bytes_; }

 private:
  Bytes bytes_;
};

}  // namespace

bool treeHolds(const Fact& fact, const std::string& root, const Deadline& deadline) {
  FactReader reader(fact.body);
  PinnedTree pinned;
  pinned.root = reader.text();
  const std::string_view index = reader.text();
  const std::string_view table = reader.text();
  for (uint32_t left = reader.u32(); left > 0 && reader.isGood(); left--) pinned.ignored.push_back(reader.text());
  if (!reader.isWhole() || !std::is_sorted(pinned.ignored.begin(), pinned.ignored.end())) return false;

  const MappedFile indexFile(root, index);
  const MappedFile tableFile(root, table);
  if (indexFile.bytes().data == nullptr || tableFile.bytes().data == nullptr) return false;
  pinned.index = indexFile.bytes();
  pinned.table = tableFile.bytes();
  pinned.isMapped = true;
  pinned.onlyWhether = true;
  pinned.giveUpAtMs = deadline.endMs();
  std::vector<Difference> found;
  return compareTree(pinned, found).ok() && found.empty();
}

}  // namespace gates::front
