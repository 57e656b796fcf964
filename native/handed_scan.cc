#include "handed_scan.h"

#include "stat_table.h"

namespace gates {

namespace {

constexpr std::string_view kMagic = "gsfs";

void append(std::string& out, uint32_t number) { out.append(reinterpret_cast<const char*>(&number), sizeof number); }

void append(std::string& out, std::string_view text) {
  append(out, static_cast<uint32_t>(text.size()));
  out.append(text);
}

class Reader {
 public:
  explicit Reader(std::string_view bytes) : left_(bytes) {}

  bool isGood() const { return isGood_; }
  bool isDone() const { return isGood_ && left_.empty(); }

  std::string_view take(size_t size) {
    if (size > left_.size()) isGood_ = false;
    const std::string_view taken = isGood_ ? left_.substr(0, size) : std::string_view();
    left_.remove_prefix(taken.size());
    return taken;
  }
  uint32_t number() {
    uint32_t value = 0;
    const std::string_view bytes = take(sizeof value);
    if (isGood_) std::memcpy(&value, bytes.data(), sizeof value);
    return value;
  }
  std::string text() { return std::string(take(number())); }

 private:
  std::string_view left_;
  bool isGood_ = true;
};

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
  Reader reader(bytes.view());
  const bool isScan = reader.take(kMagic.size()) == kMagic;
  for (std::string* text : {&scan.root, &scan.index, &scan.table, &scan.patch}) *text = reader.text();
  for (uint32_t left = reader.number(); left > 0 && reader.isGood(); left--) {
    Difference& each = scan.found.emplace_back();
    each.path = reader.text();
    const std::string_view row = reader.take(sizeof each.row);
    if (!reader.isGood()) break;
    if (Status status = decodeRow(bytesOf(row), each.row); !status.ok()) return status;
  }
  return isScan && reader.isDone() ? Status{} : fail(kBadTable, "scan");
}

}  // namespace gates
