#include "compare_tree.h"

#include <sys/mman.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <iterator>

#include "clock.h"
#include "directory_chain.h"
#include "index_walk.h"
#include "parts.h"
#include "stat_table.h"

namespace gates {

namespace {

/** How much of a mapped file is read before it is given back. */
constexpr size_t kWindowBytes = size_t{2} << 20;

size_t placeOf(size_t row) { return sizeof(TableHeader) + row * sizeof(Row); }

Row rowAt(Bytes table, size_t index) {
  Row row;
  std::memcpy(&row, table.data + placeOf(index), sizeof row);
  return row;
}

/** Reads on to the next path; the other stages of an unmerged one are passed over. */
Status nextPath(IndexWalk& walk, IndexEntry& entry, bool& isThere) {
  for (isThere = false; walk.left() > 0;) {
    if (Status status = walk.next(entry); !status.ok()) return status;
    if (entry.path.empty() || walk.order() < 0) return fail(kBadIndex, "index", {}, "entries are out of order");
    isThere = walk.order() > 0;
    if (isThere) return {};
  }
  return {};
}

}  // namespace

/** Gives pages of a mapped file back as reading goes on; they are read again should somebody need them. */
class TreeComparison::Reading {
 public:
  Reading(Bytes bytes, bool isMapped) : bytes_(bytes), isMapped_(isMapped) {}

  void startAt(size_t offset) { done_ = offset; }

  void reached(size_t offset) {
    if (offset - done_ >= kWindowBytes) giveBack(offset);
  }

  void giveBack(size_t offset) {
    if (!isMapped_) return;
    const size_t page = static_cast<size_t>(::sysconf(_SC_PAGESIZE));
    const size_t from = (done_ + page - 1) / page * page;
    const size_t to = offset / page * page;
    if (to > from) ::madvise(const_cast<uint8_t*>(bytes_.data) + from, to - from, MADV_DONTNEED);
    done_ = to;
  }

 private:
  Bytes bytes_;
  bool isMapped_;
  size_t done_ = 0;
};

/** One thread's share of the rows, which it takes chunk by chunk; the index has to be walked to where one begins. */
struct TreeComparison::Part {
  const PinnedTree* pinned;
  const ScanClock* clock;
  int root;
  IndexWalk walk;
  size_t rows;
  size_t chunk;
  std::atomic<size_t>* nextChunk;
  /** One thread has found what decides. */
  std::atomic<bool>* isDecided;
  /** Next row of the walk, and where the chunk ends that it is in. */
  size_t at = 0;
  size_t chunkEnd = 0;
  std::vector<Difference> found = {};

  Status run();
  Status lookAtChunk(DirectoryChain& chain, Reading& index, Reading& table);
  /** @returns false when there is none left */
  bool takeChunk(size_t& start);
  bool isLate() const { return pinned->giveUpAtMs > 0 && monotonicMs() >= pinned->giveUpAtMs; }
  void compare(const IndexEntry& entry, const Row& before, const Row& now);
};

Status TreeComparison::Part::run() {
  DirectoryChain chain(root);
  Reading index(pinned->index, pinned->isMapped);
  Reading table(pinned->table, pinned->isMapped);
  index.startAt(walk.offset());
  table.startAt(placeOf(at));
  for (;;) {
    if (Status status = lookAtChunk(chain, index, table); !status.ok()) return status;
    if (isDecided->load(std::memory_order_relaxed)) return {};
    size_t start = 0;
    if (!takeChunk(start)) return {};
    IndexEntry entry;
    bool isThere = true;
    for (at += walk.skipMerged(start - at); at < start && isThere; at += walk.skipMerged(start - at)) {
      if (Status status = nextPath(walk, entry, isThere); !status.ok()) return status;
      at++;
    }
    if (!isThere) return fail(kBadTable, "table");
    table.startAt(placeOf(start));
  }
}

bool TreeComparison::Part::takeChunk(size_t& start) {
  start = nextChunk->fetch_add(chunk, std::memory_order_relaxed);
  chunkEnd = std::min(start + chunk, rows);
  return start < rows;
}

/** From where the walk is; the last chunk must end with the index. */
Status TreeComparison::Part::lookAtChunk(DirectoryChain& chain, Reading& index, Reading& table) {
  IndexEntry entry;
  bool isThere = false;
  if (at < chunkEnd && isLate()) return fail(ETIMEDOUT, "scan");
  for (; at < chunkEnd && !isDecided->load(std::memory_order_relaxed); at++) {
    if (Status status = nextPath(walk, entry, isThere); !status.ok()) return status;
    if (!isThere) return fail(kBadTable, "table");
    Row now;
    if (!entry.isInWorkTree()) now.flags = kRowOutside;
    else if (Status status = chain.look(entry.path, *clock, now); !status.ok()) return status;
    compare(entry, rowAt(pinned->table, at), now);
    if (pinned->onlyWhether && !found.empty()) isDecided->store(true, std::memory_order_relaxed);
    index.reached(walk.offset());
  }
  table.giveBack(placeOf(at));
  if (at < rows) return {};
  if (Status status = nextPath(walk, entry, isThere); !status.ok()) return status;
  return isThere ? fail(kBadTable, "table") : Status{};
}

void TreeComparison::Part::compare(const IndexEntry& entry, const Row& before, const Row& now) {
  const bool isSameKind = (before.flags & kRowOutside) == (now.flags & kRowOutside);
  const bool isTrusted = (before.flags & kRowRacy) == 0;
  if (isSameKind && isTrusted && before.sameAs(now)) return;
  if (std::binary_search(pinned->ignored.begin(), pinned->ignored.end(), entry.path)) return;
  found.push_back({std::string(entry.path), now});
}

TreeComparison::TreeComparison(PinnedTree pinned) : pinned_(std::move(pinned)) {}
TreeComparison::~TreeComparison() = default;

Status TreeComparison::open() {
  IndexWalk walk(pinned_.index);
  if (Status status = walk.open(); !status.ok()) return status;
  size_t rows = 0;
  if (Status status = checkTable(pinned_.table, pinned_.index, rows); !status.ok()) return status;
  if (rows > walk.count()) return fail(kBadTable, "table");
  if (Status status = openRoot(pinned_.root, root_); !status.ok()) return status;
  clock_ = ScanClock::start(root_.get());
  const size_t threads = threadsFor(pinned_.threads, rows);
  for (size_t i = 0; i < threads; i++) {
    parts_.push_back({&pinned_, &clock_, root_.get(), walk, rows, chunkFor(threads, rows), &nextChunk_, &isDecided_});
  }
  return {};
}

Status TreeComparison::run() {
  if (Status status = open(); !status.ok()) return status;
  return runParts(parts_);
}

Status TreeComparison::finish() {
  pinned_.onlyWhether = false;
  isDecided_.store(false);
  return runParts(parts_);
}

std::vector<Difference> TreeComparison::found() {
  std::vector<Difference> all;
  for (Part& part : parts_) {
    std::move(part.found.begin(), part.found.end(), std::back_inserter(all));
    part.found.clear();
  }
  std::sort(all.begin(), all.end(), [](const Difference& one, const Difference& other) { return one.path < other.path; });
  return all;
}

}  // namespace gates
