#include "handed_scan.h"

#include "byte_reader.h"
#include "stat_table.h"

namespace gates {

namespace {

constexpr std::string_view kMagic = "gsfs";

void append(std::string& out, uint32_t number) { out.append(reinterpret_cast<const char*>(&number), sizeof number); }

void append(std::string& out, std::string_view text) {
  append(out, static_cast<uint32_t>(text.size()));
  out.append(text);
}

}  // namespace

std::string encodeScan(const HandedScan& scan) {
  std::string out(kMagic);
  for (const std::string* text : {&scan.root, &scan.index, &scan.table, &scan.patch}) append(out, *text);
  append(out, static_cast<uint32_t>(scan.found.size()));
  for (const Difference& each : scan.found) {
    append(out, each.path);
    out.append(reinterpret_cast<const char*>(&each.row), sizeof each.row);
  }
  return out;
}

Status decodeScan(Bytes bytes, HandedScan& scan) {
  ByteReader reader(bytes);
  const bool isScan = reader.take(kMagic.size()).view() == kMagic;
  for (std::string* text : {&scan.root, &scan.index, &scan.table, &scan.patch}) *text = reader.text();
  for (uint32_t left = reader.u32(); left > 0 && reader.isGood(); left--) {
    Difference& each = scan.found.emplace_back();
    each.path = reader.text();
    const Bytes row = reader.take(sizeof each.row);
    if (!reader.isGood()) break;
    if (Status status = decodeRow(row, each.row); !status.ok()) return status;
  }
  return isScan && reader.isWhole() ? Status{} : fail(kBadTable, "scan");
}

}  // namespace gates
