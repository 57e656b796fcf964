#pragma once

#include <vector>

#include "index_file.h"
#include "stat_row.h"

namespace gates {

constexpr uint8_t kTableVersion = 1;

/** Head of a table, 48 bytes as well; one row per distinct path of the index follows, in index order. */
struct TableHeader {
  uint8_t version = kTableVersion;
  uint8_t rowSize = sizeof(Row);
  uint16_t unused = 0;
  uint32_t count = 0;
  /** Realtime clock when the scan that took the table began. */
  int64_t startedNs = 0;
  int64_t grainNs = 0;
  /** Trailing hash of the index whose paths these are; where it has none, a hash of the paths. */
  Sha1Digest identity{};
  uint32_t unused2 = 0;
};
static_assert(sizeof(TableHeader) == 48);

/** First entry of each distinct path of the index. */
LargeVector<size_t> distinctPaths(const Index& index);

/** @returns no bytes where there is no memory for them */
LargeBytes encodeTable(const Index& index, const ScanClock& clock, const LargeVector<Row>& rows);

/** Reads a table and holds it against its index. @returns kBadTable when they do not belong together */
Status decodeTable(Bytes bytes, const Index& index, size_t count, LargeVector<Row>& rows);

/**
 * Holds a table against the bytes of its index, without parsing either.
 *
 * @param rows how many it has
 * @returns kBadTable when they do not belong together, kBadIndex when the index cannot be read
 */
Status checkTable(Bytes table, Bytes index, size_t& rows);

/**
 * A table for another index with the rows of the paths that both have. The other paths' rows equal no file, so each scan
 * reports them until they are patched.
 */
Status carryTable(Bytes table, const Index& index, const Index& next, LargeBytes& carried);

/** Reads one row. @returns kBadTable when the bytes are no row */
Status decodeRow(Bytes bytes, Row& row);

/** A row that takes the place of a table's; a patch is a list of them, and a later one of the same place wins. */
struct PatchedRow {
  /** Place of the row in the table. */
  uint64_t place;
  Row row;
};
static_assert(sizeof(PatchedRow) == 56);

/** @returns ENOENT for a path that the index does not have, kBadTable for another index's table */
Status encodePatch(Bytes table, const Index& index, const std::vector<std::pair<std::string, Row>>& rows, std::string& patch);

/** Replaces rows in place. @returns kBadTable when the bytes are no patch of this table */
Status applyPatch(uint8_t* table, size_t size, Bytes patch);

}  // namespace gates
