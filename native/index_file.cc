#include "index_file.h"

#include <algorithm>
#include <cctype>

namespace gates {

namespace {

constexpr size_t kHeaderSize = 12;
constexpr size_t kFixedEntrySize = 62;
/** Length bits of an entry's flags; longer paths are marked with all of them. */
constexpr size_t kLengthMask = 0xfff;
/** Version 4 can name long paths in few bytes; more than this is no repository. */
constexpr size_t kLongestPath = 1 << 16;
constexpr size_t kMostPathBytes = size_t{1} << 30;

Status bad(const char* what) { return fail(kBadIndex, "index", {}, what); }

size_t fixedSize(const uint8_t* entry) { return (readBe16(entry + 60) & 0x4000) != 0 ? kFixedEntrySize + 2 : kFixedEntrySize; }

class Parser {
 public:
  Parser(Bytes bytes, Index& index) : bytes_(bytes), index_(index) {}

  Status run() {
    if (bytes_.size < kHeaderSize + kSha1Size || bytes_.view().substr(0, 4) != "DIRC") return bad("no index header");
    index_.version = readBe32(bytes_.data + 4);
    if (index_.version < 2 || index_.version > 4) return bad("unknown version");
    std::copy_n(bytes_.data + bytes_.size - kSha1Size, kSha1Size, index_.checksum.begin());
    end_ = bytes_.size - kSha1Size;

    const size_t count = readBe32(bytes_.data + 8);
    if (count > (end_ - kHeaderSize) / kFixedEntrySize) return bad("more entries than bytes");
    index_.entries.reserve(count);
    for (size_t i = 0; i < count; i++) {
      if (Status status = readEntry(); !status.ok()) return status;
    }
    if (index_.version == 4) pointIntoExpandedPaths();
    if (Status status = readExtensions(); !status.ok()) return status;
    return index_.needsPlumbing() ? Status{} : checkOrder();
  }

 private:
  Status readEntry() {
    if (end_ - at_ < kFixedEntrySize + 2) return bad("entry is cut short");
    const uint8_t* raw = bytes_.data + at_;
    at_ += fixedSize(raw);
    if (index_.version < 3 && fixedSize(raw) != kFixedEntrySize) return bad("extended flags in version 2");
    return index_.version == 4 ? readCompressedPath(raw) : readPlainPath(raw);
  }

  Status readPlainPath(const uint8_t* raw) {
    const auto* start = reinterpret_cast<const char*>(bytes_.data + at_);
    const auto* nul = static_cast<const char*>(std::memchr(start, 0, end_ - at_));
    if (nul == nullptr) return bad("path without end");
    const std::string_view path(start, static_cast<size_t>(nul - start));
    if ((readBe16(raw + 60) & kLengthMask) != std::min(path.size(), kLengthMask)) return bad("path length is wrong");
    const size_t padded = (fixedSize(raw) + path.size() + 8) & ~size_t{7};
    const size_t next = static_cast<size_t>(raw - bytes_.data) + padded;
    if (next > end_) return bad("entry is cut short");
    at_ = next;
    index_.entries.push_back({raw, path});
    return {};
  }

  Status readCompressedPath(const uint8_t* raw) {
    size_t dropped = 0;
    if (!readVarint(dropped) || dropped > previous_.size()) return bad("path prefix is too long");
    const auto* start = reinterpret_cast<const char*>(bytes_.data + at_);
    const auto* nul = static_cast<const char*>(std::memchr(start, 0, end_ - at_));
    if (nul == nullptr) return bad("path without end");
    previous_.resize(previous_.size() - dropped);
    previous_.append(start, nul);
    at_ += static_cast<size_t>(nul - start) + 1;

    std::string& paths = index_.expandedPaths;
    if (previous_.size() > kLongestPath || paths.size() > kMostPathBytes) return bad("paths are too long");
    pathStarts_.push_back(paths.size());
    paths.append(previous_).push_back('\0');
    index_.entries.push_back({raw, {}});
    return {};
  }

  /** Offset encoding of pack files: seven bits a byte, one added at each continuation. */
  bool readVarint(size_t& value) {
    value = 0;
    for (int i = 0; i < 5 && at_ < end_; i++) {
      const uint8_t byte = bytes_.data[at_++];
      value = value << 7 | (byte & 127);
      if ((byte & 128) == 0) return true;
      value++;
    }
    return false;
  }

  /** Once all of the text is there and no longer moves. */
  void pointIntoExpandedPaths() {
    const std::string_view paths = index_.expandedPaths;
    for (size_t i = 0; i < pathStarts_.size(); i++) {
      const size_t end = i + 1 < pathStarts_.size() ? pathStarts_[i + 1] : paths.size();
      index_.entries[i].path = paths.substr(pathStarts_[i], end - pathStarts_[i] - 1);
    }
  }

  Status readExtensions() {
    while (at_ < end_) {
      if (end_ - at_ < 8) return bad("extension is cut short");
      IndexExtension extension{};
      std::copy_n(bytes_.data + at_, 4, extension.signature.begin());
      const size_t size = readBe32(bytes_.data + at_ + 4);
      at_ += 8;
      if (size > end_ - at_) return bad("extension is cut short");
      extension.body = {bytes_.data + at_, size};
      at_ += size;
      const bool isOptional = std::isupper(static_cast<unsigned char>(extension.signature[0])) != 0;
      if (!isOptional && extension.name() != "link" && extension.name() != "sdir") return bad("unknown extension");
      index_.extensions.push_back(extension);
    }
    return {};
  }

  Status checkOrder() const {
    for (size_t i = 0; i < index_.entries.size(); i++) {
      const IndexEntry& entry = index_.entries[i];
      if (entry.path.empty()) return bad("empty path");
      if (i == 0) continue;
      const IndexEntry& before = index_.entries[i - 1];
      const int order = before.path.compare(entry.path);
      if (order > 0 || (order == 0 && before.stage() >= entry.stage())) return bad("entries are out of order");
    }
    return {};
  }

  Bytes bytes_;
  Index& index_;
  size_t at_ = kHeaderSize;
  size_t end_ = 0;
  std::string previous_;
  std::vector<size_t> pathStarts_;
};

}  // namespace

bool IndexEntry::sameContent(const IndexEntry& other) const {
  return mode() == other.mode() && assumeValid() == other.assumeValid() && skipWorktree() == other.skipWorktree() &&
         intentToAdd() == other.intentToAdd() && std::memcmp(oid(), other.oid(), kSha1Size) == 0;
}

bool Index::needsPlumbing() const {
  return std::any_of(extensions.begin(), extensions.end(), [](const IndexExtension& extension) {
    return extension.name() == "link" || extension.name() == "sdir";
  });
}

size_t Index::endOfPath(size_t first) const {
  size_t end = first + 1;
  while (end < entries.size() && entries[end].path == entries[first].path) end++;
  return end;
}

size_t Index::lowerBound(std::string_view path) const {
  const auto found = std::lower_bound(entries.begin(), entries.end(), path,
                                      [](const IndexEntry& entry, std::string_view wanted) { return entry.path < wanted; });
  return static_cast<size_t>(found - entries.begin());
}

Status parseIndex(Bytes bytes, Index& index) { return Parser(bytes, index).run(); }

Status parseWholeIndex(Bytes bytes, Index& index) {
  if (Status status = parseIndex(bytes, index); !status.ok()) return status;
  return index.needsPlumbing() ? fail(ENOTSUP, "index") : Status{};
}

}  // namespace gates
