#include "index_diff.h"
#include "index_encode.h"
#include "fuzz.h"
#include "stat_table.h"

namespace fuzz {

namespace {

/** Touches every field, so that one that points outside is found. */
unsigned sumOf(const gates::Index& index) {
  unsigned sum = index.version;
  for (const gates::IndexEntry& entry : index.entries) {
    sum += entry.mtimeNs() + entry.ctimeS() + entry.size() + entry.mode() + entry.stage() + *entry.oid();
    sum += entry.skipWorktree() + entry.intentToAdd() + entry.assumeValid();
    for (const char byte : entry.path) sum += static_cast<unsigned char>(byte);
  }
  for (const gates::IndexExtension& extension : index.extensions) {
    for (const char byte : extension.body.view()) sum += static_cast<unsigned char>(byte);
  }
  return sum;
}

}  // namespace

void index(Bytes input) {
  gates::Index index;
  if (!gates::parseIndex(input, index).ok()) return;
  volatile unsigned sum = sumOf(index);
  (void)sum;
  if (index.needsPlumbing()) return;

  check(gates::diffIndexes(index, index).empty(), "an index equals itself");
  for (const gates::IndexEntry& entry : index.entries) {
    const size_t first = index.lowerBound(entry.path);
    check(first < index.entries.size() && index.entries[first].path == entry.path, "an entry is found by its path");
    check(index.endOfPath(first) <= index.entries.size(), "a path ends inside the index");
  }

  const gates::LargeVector<gates::Row> rows(gates::distinctPaths(index).size());
  const gates::LargeBytes table = gates::encodeTable(index, gates::ScanClock{}, rows);
  gates::LargeVector<gates::Row> decoded;
  check(gates::decodeTable(table.bytes(), index, rows.size(), decoded).ok(), "a table of an index can be read");

  std::string written;
  if (!gates::encodeIndex(index, {}, {}, {}, written).ok()) return;
  gates::Index again;
  check(gates::parseIndex(gates::bytesOf(written), again).ok(), "an index that was written can be read");
  check(gates::diffIndexes(index, again).empty(), "an index that was written is the same");
}

}  // namespace fuzz
