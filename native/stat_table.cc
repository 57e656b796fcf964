#include "stat_table.h"

#include <algorithm>

#include "index_walk.h"

namespace gates {

namespace {

/** The NUL byte behind each path keeps two of them apart. */
void addPath(Sha1& hash, const IndexEntry& entry) {
  hash.update({reinterpret_cast<const uint8_t*>(entry.path.data()), entry.path.size() + 1});
}

/** Under `index.skipHash` the trailing hash is zero; then the paths have to tell one index from another. */
Sha1Digest identityOf(const Index& index) {
  if (index.checksum != Sha1Digest{}) return index.checksum;
  Sha1 hash;
  for (const IndexEntry& entry : index.entries) addPath(hash, entry);
  return hash.finish();
}

/** The same from the index's bytes. */
Status readIdentity(Bytes index, Sha1Digest& identity) {
  IndexWalk walk(index);
  if (Status status = walk.open(); !status.ok()) return status;
  std::copy_n(index.data + walk.end(), kSha1Size, identity.begin());
  if (identity != Sha1Digest{}) return {};
  Sha1 hash;
  IndexEntry entry;
  while (walk.left() > 0) {
    if (Status status = walk.next(entry); !status.ok()) return status;
    addPath(hash, entry);
  }
  identity = hash.finish();
  return {};
}

/** @returns kBadTable when it is no table, whatever its index */
Status readHeader(Bytes table, TableHeader& header) {
  if (table.size < sizeof header) return fail(kBadTable, "table");
  std::memcpy(&header, table.data, sizeof header);
  const bool isKnown = header.version == kTableVersion && header.rowSize == sizeof(Row);
  const bool isWhole = table.size == sizeof header + size_t{header.count} * sizeof(Row);
  return isKnown && isWhole ? Status{} : fail(kBadTable, "table");
}

Status belongsTo(const Index& index, size_t count, Bytes table) {
  TableHeader header;
  if (Status status = readHeader(table, header); !status.ok()) return status;
  return header.count == count && header.identity == identityOf(index) ? Status{} : fail(kBadTable, "table");
}

}  // namespace

LargeVector<size_t> distinctPaths(const Index& index) {
  LargeVector<size_t> firsts;
  firsts.reserve(index.entries.size());
  for (size_t i = 0; i < index.entries.size(); i = index.endOfPath(i)) firsts.push_back(i);
  return firsts;
}

LargeBytes encodeTable(const Index& index, const ScanClock& clock, const LargeVector<Row>& rows) {
  TableHeader header;
  header.count = static_cast<uint32_t>(rows.size());
  header.startedNs = clock.startedNs;
  header.grainNs = clock.grainNs;
  header.identity = identityOf(index);
  LargeBytes table(sizeof header + rows.size() * sizeof(Row));
  if (table.data() == nullptr) return table;
  std::memcpy(table.data(), &header, sizeof header);
  if (!rows.empty()) std::memcpy(table.data() + sizeof header, rows.data(), rows.size() * sizeof(Row));
  return table;
}

Status decodeTable(Bytes bytes, const Index& index, size_t count, LargeVector<Row>& rows) {
  if (Status status = belongsTo(index, count, bytes); !status.ok()) return status;
  rows.resize(count);
  if (count > 0) std::memcpy(rows.data(), bytes.data + sizeof(TableHeader), count * sizeof(Row));
  return {};
}

Status checkTable(Bytes table, Bytes index, size_t& rows) {
  TableHeader header;
  if (Status status = readHeader(table, header); !status.ok()) return status;
  Sha1Digest identity;
  if (Status status = readIdentity(index, identity); !status.ok()) return status;
  rows = header.count;
  return header.identity == identity ? Status{} : fail(kBadTable, "table");
}

Status carryTable(Bytes table, const Index& index, const Index& next, LargeBytes& carried) {
  const LargeVector<size_t> firsts = distinctPaths(index);
  LargeVector<Row> rows;
  if (Status status = decodeTable(table, index, firsts.size(), rows); !status.ok()) return status;
  LargeVector<Row> nextRows;
  size_t known = 0;
  for (const size_t first : distinctPaths(next)) {
    const IndexEntry& entry = next.entries[first];
    while (known < firsts.size() && index.entries[firsts[known]].path < entry.path) known++;
    const bool isKnown = known < firsts.size() && index.entries[firsts[known]].path == entry.path;
    const bool wasOutside = isKnown && (rows[known].flags & kRowOutside) != 0;
    Row row = isKnown && !wasOutside ? rows[known] : emptyRow(PathKind::kOther);
    if (!isKnown || wasOutside) row.flags = kRowRacy;
    if (!entry.isInWorkTree()) {
      row = Row{};
      row.flags = kRowOutside;
    }
    nextRows.push_back(row);
  }
  TableHeader header;
  std::memcpy(&header, table.data, sizeof header);
  ScanClock clock;
  clock.startedNs = header.startedNs;
  clock.grainNs = header.grainNs;
  carried = encodeTable(next, clock, nextRows);
  return carried.data() == nullptr ? fail(ENOMEM, "table") : Status{};
}

Status decodeRow(Bytes bytes, Row& row) {
  if (bytes.size != sizeof row) return fail(kBadTable, "row");
  std::memcpy(&row, bytes.data, sizeof row);
  return row.kind <= static_cast<uint16_t>(PathKind::kUnreachable) ? Status{} : fail(kBadTable, "row");
}

Status encodePatch(Bytes table, const Index& index, const std::vector<std::pair<std::string, Row>>& rows, std::string& patch) {
  TableHeader header;
  if (Status status = readHeader(table, header); !status.ok()) return status;
  // Without unmerged paths each has one entry, and its place is the entry's.
  const bool isMerged = header.count == index.entries.size();
  const LargeVector<size_t> firsts = isMerged ? LargeVector<size_t>() : distinctPaths(index);
  const size_t count = isMerged ? index.entries.size() : firsts.size();
  if (Status status = belongsTo(index, count, table); !status.ok()) return status;
  for (const auto& [path, row] : rows) {
    const size_t entry = index.lowerBound(path);
    const size_t place =
        isMerged ? entry : static_cast<size_t>(std::lower_bound(firsts.begin(), firsts.end(), entry) - firsts.begin());
    if (place >= count || index.entries[entry].path != path) return fail(ENOENT, "table", path);
    const PatchedRow patched{place, row};
    patch.append(reinterpret_cast<const char*>(&patched), sizeof patched);
  }
  return {};
}

Status applyPatch(uint8_t* table, size_t size, Bytes patch) {
  TableHeader header;
  if (Status status = readHeader({table, size}, header); !status.ok()) return status;
  if (patch.size % sizeof(PatchedRow) != 0) return fail(kBadTable, "patch");
  for (size_t at = 0; at < patch.size; at += sizeof(PatchedRow)) {
    PatchedRow patched;
    std::memcpy(&patched, patch.data + at, sizeof patched);
    if (patched.place >= header.count) return fail(kBadTable, "patch");
    std::memcpy(table + sizeof header + patched.place * sizeof(Row), &patched.row, sizeof patched.row);
  }
  return {};
}

}  // namespace gates
