#include "scan.h"

#include <pthread.h>

#include <algorithm>
#include <thread>

namespace gates {

namespace {

constexpr size_t kFewestPathsPerThread = 512;

/** The chain of open directories that leads to the last path; sorted paths share most of it. */
class DirectoryChain {
 public:
  explicit DirectoryChain(int root) : root_(root) {}

  /** Opens the parents of a path. @param kind kDirectory, or why they cannot be reached */
  Status enter(std::string_view path, int& fd, PathKind& kind) {
    const size_t parentSize = path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/') + 1;
    const std::string_view parent = path.substr(0, parentSize);
    leaveUntil(parent);
    while (current_.size() < parent.size()) {
      if (Status status = descend(parent); !status.ok()) return status;
    }
    fd = links_.empty() ? root_ : links_.back().fd.get();
    kind = links_.empty() ? PathKind::kDirectory : links_.back().kind;
    return {};
  }

 private:
  struct Link {
    size_t nameStart;
    Fd fd;
    PathKind kind;
  };

  void leaveUntil(std::string_view parent) {
    while (!links_.empty() && parent.substr(0, current_.size()) != current_) {
      current_.resize(links_.back().nameStart);
      links_.pop_back();
    }
  }

  /** `current_` ends in a slash, which makes room for the NUL byte that openat wants. */
  Status descend(std::string_view parent) {
    const size_t nameStart = current_.size();
    const size_t end = parent.find('/', nameStart) + 1;
    const PathKind above = links_.empty() ? PathKind::kDirectory : links_.back().kind;
    const int aboveFd = links_.empty() ? root_ : links_.back().fd.get();
    current_.append(parent.substr(nameStart, end - nameStart));
    Link link{nameStart, Fd(), above};
    if (above == PathKind::kDirectory) {
      current_.back() = '\0';
      Status status = openChild(aboveFd, current_.c_str() + nameStart, link.fd, link.kind);
      current_.back() = '/';
      if (!status.ok()) return status;
    }
    links_.push_back(std::move(link));
    return {};
  }

  int root_;
  std::string current_;
  std::vector<Link> links_;
};

/** One thread's share of the paths, and how it went. */
struct Part {
  const Index* index;
  int root;
  size_t from;
  size_t to;
  ScanResult* result;
  Status status;
  pthread_t thread;
  bool hasThread;
};

Status scanPart(const Part& part) {
  DirectoryChain chain(part.root);
  for (size_t i = part.from; i < part.to; i++) {
    const IndexEntry& entry = part.index->entries[part.result->firsts[i]];
    Row& row = part.result->rows[i];
    if (!entry.isInWorkTree()) {
      row.flags = kRowOutside;
      continue;
    }
    int parent = -1;
    PathKind kind = PathKind::kDirectory;
    if (Status status = chain.enter(entry.path, parent, kind); !status.ok()) return status;
    const size_t slash = entry.path.rfind('/');
    const char* name = entry.path.data() + (slash == std::string_view::npos ? 0 : slash + 1);
    row = kind == PathKind::kDirectory ? statChild(parent, name, part.result->clock) : emptyRow(kind);
  }
  return {};
}

void* runPart(void* part) {
  auto* own = static_cast<Part*>(part);
  own->status = scanPart(*own);
  return nullptr;
}

/** Runs the first part here, each other one on a thread of its own, or here where no thread is to be had. */
void runParts(std::vector<Part>& parts) {
  for (size_t i = 1; i < parts.size(); i++) {
    parts[i].hasThread = ::pthread_create(&parts[i].thread, nullptr, runPart, &parts[i]) == 0;
  }
  for (Part& part : parts) {
    if (!part.hasThread) runPart(&part);
  }
  for (const Part& part : parts) {
    if (part.hasThread) ::pthread_join(part.thread, nullptr);
  }
}

size_t threadsFor(size_t asked, size_t paths) {
  const size_t wanted = asked > 0 ? asked : std::clamp<size_t>(std::thread::hardware_concurrency(), 2, 4);
  return std::clamp<size_t>(paths / kFewestPathsPerThread, 1, std::min<size_t>(wanted, 64));
}

bool sameStat(const IndexEntry& entry, const Row& row) {
  constexpr int64_t kSecondNs = 1'000'000'000;
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
  for (size_t i = 0; i < threads; i++) {
    parts.push_back({&index, root.get(), paths * i / threads, paths * (i + 1) / threads, &result, {}, {}, false});
  }
  runParts(parts);
  const auto failed = std::find_if(parts.begin(), parts.end(), [](const Part& part) { return !part.status.ok(); });
  return failed == parts.end() ? Status{} : failed->status;
}

bool isProvenByIndex(const Index& index, size_t first, const Row& row, int64_t indexMtimeNs) {
  const IndexEntry& entry = index.entries[first];
  if (entry.stage() != 0 || entry.assumeValid() || entry.skipWorktree() || entry.intentToAdd()) return false;
  return row.mtimeNs < indexMtimeNs && sameType(entry, row) && sameStat(entry, row);
}

}  // namespace gates
