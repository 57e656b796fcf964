#include "index_walk.h"

#include <algorithm>

namespace gates {

namespace {

constexpr size_t kHeaderSize = 12;
constexpr size_t kFixedEntrySize = 62;
/** Length bits of an entry's flags; longer paths are marked with all of them. */
constexpr size_t kLengthMask = 0xfff;
/** Version 4 can name long paths in few bytes; more than this is no repository. */
constexpr size_t kLongestPath = 1 << 16;

Status bad(const char* what) { return fail(kBadIndex, "index", {}, what); }

size_t fixedSize(const uint8_t* entry) { return (readBe16(entry + 60) & 0x4000) != 0 ? kFixedEntrySize + 2 : kFixedEntrySize; }

}  // namespace

Status IndexWalk::open() {
  if (bytes_.size < kHeaderSize + kSha1Size || bytes_.view().substr(0, 4) != "DIRC") return bad("no index header");
  version_ = readBe32(bytes_.data + 4);
  if (version_ < 2 || version_ > 4) return bad("unknown version");
  at_ = kHeaderSize;
  end_ = bytes_.size - kSha1Size;
  count_ = readBe32(bytes_.data + 8);
  if (count_ > (end_ - kHeaderSize) / kFixedEntrySize) return bad("more entries than bytes");
  left_ = count_;
  return {};
}

Status IndexWalk::next(IndexEntry& entry) {
  if (end_ - at_ < kFixedEntrySize + 2) return bad("entry is cut short");
  const uint8_t* raw = bytes_.data + at_;
  at_ += fixedSize(raw);
  if (version_ < 3 && fixedSize(raw) != kFixedEntrySize) return bad("extended flags in version 2");
  left_--;
  return version_ == 4 ? readCompressedPath(raw, entry) : readPlainPath(raw, entry);
}

size_t IndexWalk::skipMerged(size_t most) {
  size_t skipped = 0;
  while (version_ < 4 && skipped < most && left_ > 0 && end_ - at_ >= kFixedEntrySize + 2) {
    const uint8_t* raw = bytes_.data + at_;
    const unsigned flags = readBe16(raw + 60);
    const size_t length = flags & kLengthMask;
    const bool isMerged = (flags >> 12 & 3) == 0;
    if (!isMerged || length == 0 || length == kLengthMask) break;
    const size_t fixed = fixedSize(raw);
    const size_t next = at_ + ((fixed + length + 8) & ~size_t{7});
    if (next > end_) break;
    previous_ = bytes_.view().substr(at_ + fixed, length);
    at_ = next;
    left_--;
    skipped++;
  }
  return skipped;
}

Status IndexWalk::readPlainPath(const uint8_t* raw, IndexEntry& entry) {
  const auto* start = reinterpret_cast<const char*>(bytes_.data + at_);
  const auto* nul = static_cast<const char*>(std::memchr(start, 0, end_ - at_));
  if (nul == nullptr) return bad("path without end");
  const std::string_view path(start, static_cast<size_t>(nul - start));
  if ((readBe16(raw + 60) & kLengthMask) != std::min(path.size(), kLengthMask)) return bad("path length is wrong");
  const size_t padded = (fixedSize(raw) + path.size() + 8) & ~size_t{7};
  const size_t next = static_cast<size_t>(raw - bytes_.data) + padded;
  if (next > end_) return bad("entry is cut short");
  at_ = next;
  order_ = path.compare(previous_);
  previous_ = path;
  entry = {raw, path};
  return {};
}

Status IndexWalk::readCompressedPath(const uint8_t* raw, IndexEntry& entry) {
  size_t dropped = 0;
  if (!readVarint(dropped) || dropped > expanded_.size()) return bad("path prefix is too long");
  const auto* start = reinterpret_cast<const char*>(bytes_.data + at_);
  const auto* nul = static_cast<const char*>(std::memchr(start, 0, end_ - at_));
  if (nul == nullptr) return bad("path without end");
  const std::string_view rest(start, static_cast<size_t>(nul - start));
  const size_t kept = expanded_.size() - dropped;
  if (kept + rest.size() > kLongestPath) return bad("paths are too long");
  // What both paths begin with is the same, so the rests decide.
  order_ = rest.compare(std::string_view(expanded_).substr(kept));
  expanded_.resize(kept);
  expanded_.append(rest);
  at_ += rest.size() + 1;
  entry = {raw, expanded_};
  return {};
}

/** Offset encoding of pack files: seven bits a byte, one added at each continuation. */
bool IndexWalk::readVarint(size_t& value) {
  value = 0;
  for (int i = 0; i < 5 && at_ < end_; i++) {
    const uint8_t byte = bytes_.data[at_++];
    value = value << 7 | (byte & 127);
    if ((byte & 128) == 0) return true;
    value++;
  }
  return false;
}

}  // namespace gates
