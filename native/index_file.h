#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "bytes.h"
#include "large_memory.h"
#include "sha1.h"
#include "status.h"

namespace gates {

constexpr uint32_t kModeGitlink = 0160000;
constexpr uint32_t kModeSparseDirectory = 0040000;
constexpr uint32_t kModeLink = 0120000;
constexpr uint32_t kModeTypeMask = 0170000;

/** One entry, read in place; layout: gitformat-index(5), "Index entry". The path is followed by a NUL byte. */
struct IndexEntry {
  const uint8_t* raw = nullptr;
  std::string_view path;

  uint32_t ctimeS() const { return readBe32(raw); }
  uint32_t ctimeNs() const { return readBe32(raw + 4); }
  uint32_t mtimeS() const { return readBe32(raw + 8); }
  uint32_t mtimeNs() const { return readBe32(raw + 12); }
  uint32_t ino() const { return readBe32(raw + 20); }
  uint32_t mode() const { return readBe32(raw + 24); }
  uint32_t size() const { return readBe32(raw + 36); }
  const uint8_t* oid() const { return raw + 40; }
  uint16_t flags() const { return readBe16(raw + 60); }
  uint16_t extendedFlags() const { return (flags() & 0x4000) != 0 ? readBe16(raw + 62) : uint16_t{0}; }

  unsigned stage() const { return flags() >> 12 & 3; }
  bool assumeValid() const { return (flags() & 0x8000) != 0; }
  bool skipWorktree() const { return (extendedFlags() & 0x4000) != 0; }
  bool intentToAdd() const { return (extendedFlags() & 0x2000) != 0; }
  /** Whether the path is a file or link of this work tree, rather than a submodule or a collapsed directory. */
  bool isInWorkTree() const { return mode() != kModeGitlink && mode() != kModeSparseDirectory; }
  /** Same mode, id and flags; stage and path are compared by the caller, stat data never. */
  bool sameContent(const IndexEntry& other) const;
};

struct IndexExtension {
  std::array<char, 4> signature;
  /** Without its eight bytes of header. */
  Bytes body;

  std::string_view name() const { return {signature.data(), signature.size()}; }
};

/** A parsed index. It points into the bytes it was parsed from. */
struct Index {
  uint32_t version = 2;
  LargeVector<IndexEntry> entries;
  std::vector<IndexExtension> extensions;
  Sha1Digest checksum{};
  /** Paths of version 4, which stores only what differs from the path before. */
  std::string expandedPaths;

  Index() = default;
  Index(const Index&) = delete;
  Index& operator=(const Index&) = delete;

  /** Split or sparse: the entries are not the whole truth. */
  bool needsPlumbing() const;
  /** One past the last entry with the same path as entry `first`. */
  size_t endOfPath(size_t first) const;
  /** First entry whose path is not before this one. */
  size_t lowerBound(std::string_view path) const;
};

/**
 * Parses versions 2, 3 and 4 with SHA-1 ids. The trailing hash is read, not verified, as git does.
 *
 * @returns kBadIndex for anything out of bounds, out of order or unknown
 */
Status parseIndex(Bytes bytes, Index& index);

/** As parseIndex; ENOTSUP for an index that needs the plumbing. */
Status parseWholeIndex(Bytes bytes, Index& index);

}  // namespace gates
