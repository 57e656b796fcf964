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
/** So many rows are looked at between two looks at the clock. */
constexpr size_t kRowsPerClock = 1024;

/** Gives pages of a mapped file back as reading goes on; they are read again should somebody need them. */
class Reading {
 public:
  Reading(Bytes bytes, bool isMapped) : bytes_(bytes), isMapped_(isMapped) {}

  void startAt(size_t offset) { done_ = offset; }

  void reached(size_t offset) {
    if (!isMapped_ || offset - done_ < kWindowBytes) return;
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

/** One thread's share of the rows; the index has to be walked from its start to find where they begin. */
struct Part {
  const PinnedTree* pinned;
  const ScanClock* clock;
  int root;
  IndexWalk walk;
  size_t fromRow;
  size_t toRow;
  bool isLast;
  /** One thread has found what decides. */
  std::atomic<bool>* isDecided;
  std::vector<Difference> found;

  Status run();
  bool isLate() const { return pinned->giveUpAtMs > 0 && monotonicMs() >= pinned->giveUpAtMs; }
  void compare(const IndexEntry& entry, const Row& before, const Row& now);
};

Row rowAt(Bytes table, size_t index) {
  Row row;
  std::memcpy(&row, table.data + sizeof(TableHeader) + index * sizeof row, sizeof row);
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

Status Part::run() {
  DirectoryChain chain(root);
  Reading index(pinned->index, pinned->isMapped);
  Reading table(pinned->table, pinned->isMapped);
  table.startAt(sizeof(TableHeader) + fromRow * sizeof(Row));
  IndexEntry entry;
  bool isThere = false;
  for (size_t i = 0; i < toRow; i++) {
    if (i % kRowsPerClock == 0 && isLate()) return fail(ETIMEDOUT, "scan");
    if (Status status = nextPath(walk, entry, isThere); !status.ok()) return status;
    if (!isThere) return fail(kBadTable, "table");
    index.reached(walk.offset());
    if (i < fromRow) continue;
    Row now;
    if (!entry.isInWorkTree()) now.flags = kRowOutside;
    else if (Status status = chain.look(entry.path, *clock, now); !status.ok()) return status;
    compare(entry, rowAt(pinned->table, i), now);
    if (pinned->onlyWhether && !found.empty()) isDecided->store(true, std::memory_order_relaxed);
    if (isDecided->load(std::memory_order_relaxed)) return {};
    table.reached(sizeof(TableHeader) + (i + 1) * sizeof(Row));
  }
  if (!isLast) return {};
  if (Status status = nextPath(walk, entry, isThere); !status.ok()) return status;
  return isThere ? fail(kBadTable, "table") : Status{};
}

void Part::compare(const IndexEntry& entry, const Row& before, const Row& now) {
  const bool isSameKind = (before.flags & kRowOutside) == (now.flags & kRowOutside);
  const bool isTrusted = (before.flags & kRowRacy) == 0;
  if (isSameKind && isTrusted && before.sameAs(now)) return;
  if (std::binary_search(pinned->ignored.begin(), pinned->ignored.end(), entry.path)) return;
  found.push_back({std::string(entry.path), now});
}

}  // namespace

Status compareTree(const PinnedTree& pinned, std::vector<Difference>& found) {
  IndexWalk walk(pinned.index);
  if (Status status = walk.open(); !status.ok()) return status;
  size_t rows = 0;
  if (Status status = checkTable(pinned.table, pinned.index, rows); !status.ok()) return status;
  if (rows > walk.count()) return fail(kBadTable, "table");

  Fd root;
  if (Status status = openRoot(pinned.root, root); !status.ok()) return status;
  const ScanClock clock = ScanClock::start(root.get());
  std::atomic<bool> isDecided{false};
  std::vector<Part> parts;
  const size_t threads = threadsFor(pinned.threads, rows);
  for (size_t i = 0; i < threads; i++) {
    parts.push_back({&pinned, &clock, root.get(), walk, rows * i / threads, rows * (i + 1) / threads, i + 1 == threads, &isDecided, {}});
  }
  if (Status status = runParts(parts); !status.ok()) return status;
  for (Part& part : parts) {
    std::move(part.found.begin(), part.found.end(), std::back_inserter(found));
  }
  return {};
}

}  // namespace gates
