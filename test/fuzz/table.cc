#include "fuzz.h"
#include "stat_table.h"

namespace fuzz {

namespace {

/** Three entries of version 2; only the table is hostile. */
std::string plainIndex() {
  std::string bytes("DIRC\0\0\0\2\0\0\0\3", 12);
  for (const char* name : {"a", "b/c", "d"}) {
    std::string entry(62, '\0');
    entry[26] = '\x81';
    entry[27] = '\xa4';
    entry[61] = static_cast<char>(std::string_view(name).size());
    entry += name;
    do entry.push_back('\0');
    while (entry.size() % 8 != 0);
    bytes += entry;
  }
  bytes.append(gates::kSha1Size, '\0');
  return bytes;
}

}  // namespace

void table(Bytes input) {
  static const std::string bytes = plainIndex();
  gates::Index index;
  check(gates::parseIndex(gates::bytesOf(bytes), index).ok(), "the plain index can be read");

  gates::LargeVector<gates::Row> rows;
  const bool isTable = gates::decodeTable(input, index, 3, rows).ok();
  check(!isTable || rows.size() == 3, "a table has a row for each path");
  gates::LargeBytes carried;
  const bool isCarried = gates::carryTable(input, index, index, carried).ok();
  check(!isCarried || carried.bytes().size == 48 * 4, "a carried table has a row for each path");
  std::string patch;
  const bool isPatch = gates::encodePatch(input, index, {{"b/c", gates::Row{}}}, patch).ok();
  check(isPatch == isTable, "a row of a table can be patched");
  std::string patched(input.view());
  auto* start = reinterpret_cast<uint8_t*>(patched.data());
  if (isPatch) check(gates::applyPatch(start, patched.size(), gates::bytesOf(patch)).ok(), "a patch can be applied");
  gates::LargeBytes good = gates::encodeTable(index, gates::ScanClock{}, gates::LargeVector<gates::Row>(3));
  (void)gates::applyPatch(good.data(), good.bytes().size, input).ok();
  check(gates::decodeTable(good.bytes(), index, 3, rows).ok(), "a table stays one, whatever is applied to it");
  gates::Row row;
  if (gates::decodeRow(input, row).ok()) check(row.sameAs(row), "a row equals itself");
}

}  // namespace fuzz
