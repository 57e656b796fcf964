#include "index_file.h"

#include <algorithm>
#include <cctype>

#include "index_walk.h"

namespace gates {

namespace {

constexpr size_t kMostPathBytes = size_t{1} << 30;

Status bad(const char* what) { return fail(kBadIndex, "index", {}, what); }

class Parser {
 public:
  Parser(Bytes bytes, Index& index) : bytes_(bytes), walk_(bytes), index_(index) {}

  Status run() {
    if (Status status = walk_.open(); !status.ok()) return status;
    index_.version = walk_.version();
    std::copy_n(bytes_.data + walk_.end(), kSha1Size, index_.checksum.begin());
    index_.entries.reserve(walk_.count());
    while (walk_.left() > 0) {
      if (Status status = readEntry(); !status.ok()) return status;
    }
    if (index_.version == 4) pointIntoExpandedPaths();
    if (Status status = readExtensions(); !status.ok()) return status;
    return index_.needsPlumbing() || disorder_ == nullptr ? Status{} : bad(disorder_);
  }

 private:
  Status readEntry() {
    IndexEntry entry;
    if (Status status = walk_.next(entry); !status.ok()) return status;
    noteOrder(entry);
    if (index_.version == 4) {
      std::string& paths = index_.expandedPaths;
      if (paths.size() > kMostPathBytes) return bad("paths are too long");
      pathStarts_.push_back(paths.size());
      paths.append(entry.path).push_back('\0');
      entry.path = {};
    }
    index_.entries.push_back(entry);
    return {};
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
    size_t at = walk_.offset();
    const size_t end = walk_.end();
    while (at < end) {
      if (end - at < 8) return bad("extension is cut short");
      IndexExtension extension{};
      std::copy_n(bytes_.data + at, 4, extension.signature.begin());
      const size_t size = readBe32(bytes_.data + at + 4);
      at += 8;
      if (size > end - at) return bad("extension is cut short");
      extension.body = {bytes_.data + at, size};
      at += size;
      const bool isOptional = std::isupper(static_cast<unsigned char>(extension.signature[0])) != 0;
      if (!isOptional && extension.name() != "link" && extension.name() != "sdir") return bad("unknown extension");
      index_.extensions.push_back(extension);
    }
    return {};
  }

  /** A split or sparse index may be in any order. */
  void noteOrder(const IndexEntry& entry) {
    if (entry.path.empty()) disorder_ = "empty path";
    if (index_.entries.empty()) return;
    const bool isBehind = walk_.order() > 0 || (walk_.order() == 0 && index_.entries.back().stage() < entry.stage());
    if (!isBehind) disorder_ = "entries are out of order";
  }

  Bytes bytes_;
  IndexWalk walk_;
  Index& index_;
  const char* disorder_ = nullptr;
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
  // In stage 0 a path is its own first entry.
  while (end < entries.size() && entries[end].stage() != 0 && entries[end].path == entries[first].path) end++;
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
