#include "scan.h"

#include <algorithm>
#include <atomic>

#include "directory_chain.h"
#include "parts.h"

namespace gates {

namespace {

/** One thread's share of the paths, which it takes chunk by chunk. */
struct Part {
  const Index* index;
  int root;
  size_t chunk;
  std::atomic<size_t>* nextChunk;
  ScanResult* result;

  Status run() const {
    DirectoryChain chain(root);
    const size_t paths = result->firsts.size();
    for (;;) {
      const size_t from = nextChunk->fetch_add(chunk, std::memory_order_relaxed);
      if (from >= paths) return {};
      if (Status status = look(chain, from, std::min(from + chunk, paths)); !status.ok()) return status;
    }
  }

  Status look(DirectoryChain& chain, size_t from, size_t to) const {
    for (size_t i = from; i < to; i++) {
      const IndexEntry& entry = index->entries[result->firsts[i]];
      Row& row = result->rows[i];
      if (!entry.isInWorkTree()) {
        row.flags = kRowOutside;
        continue;
      }
      if (Status status = chain.look(entry.path, result->clock, row); !status.ok()) return status;
    }
    return {};
  }
};

bool sameStat(const IndexEntry& entry, const Row& row) {
  const auto same = [](uint32_t seconds, uint32_t nanoseconds, int64_t ns) {
    // The index keeps 32 bits of each.
    return seconds == static_cast<uint32_t>(ns / kSecondNs) && nanoseconds == static_cast<uint32_t>(ns % kSecondNs);
  };
  return same(entry.mtimeS(), entry.mtimeNs(), row.mtimeNs) && same(entry.ctimeS(), entry.ctimeNs(), row.ctimeNs) &&
         entry.ino() == static_cast<uint32_t>(row.ino) && entry.size() == static_cast<uint32_t>(row.size);
}

bool sameType(const IndexEntry& entry, const Row& row) {
  if (row.pathKind() == PathKind::kLink) return entry.mode() == kModeLink;
  const bool isExecutable = (row.mode & 0100) != 0;
  return row.pathKind() == PathKind::kFile && entry.mode() == (isExecutable ? 0100755u : 0100644u);
}

}  // namespace

Status scanTree(const Index& index, const ScanOptions& options, ScanResult& result) {
  Fd root;
  if (Status status = openRoot(options.root, root); !status.ok()) return status;
  result.clock = ScanClock::start(root.get());
  result.firsts = distinctPaths(index);
  result.rows.resize(result.firsts.size());

  const size_t paths = result.firsts.size();
  const size_t threads = threadsFor(options.threads, paths);
  std::vector<Part> parts;
  std::atomic<size_t> nextChunk{0};
  for (size_t i = 0; i < threads; i++) parts.push_back({&index, root.get(), chunkFor(threads, paths), &nextChunk, &result});
  return runParts(parts);
}

bool isProvenByIndex(const Index& index, size_t first, const Row& row, int64_t indexMtimeNs) {
  const IndexEntry& entry = index.entries[first];
  if (entry.stage() != 0 || entry.assumeValid() || entry.skipWorktree() || entry.intentToAdd()) return false;
  return row.mtimeNs < indexMtimeNs && sameType(entry, row) && sameStat(entry, row);
}

}  // namespace gates
