#pragma once

#include <pthread.h>

#include <algorithm>
#include <thread>
#include <vector>

#include "status.h"

namespace gates {

constexpr size_t kFewestPathsPerThread = 512;

/** @param asked 0: as many as the machine has, at least 2, at most 4 */
inline size_t threadsFor(size_t asked, size_t paths) {
  const size_t wanted = asked > 0 ? asked : std::clamp<size_t>(std::thread::hardware_concurrency(), 2, 4);
  return std::clamp<size_t>(paths / kFewestPathsPerThread, 1, std::min<size_t>(wanted, 64));
}

/** What a thread takes at a time: other work may slow one down, and then others do more. */
inline size_t chunkFor(size_t threads, size_t paths) { return std::clamp<size_t>(paths / (threads * 32), 64, 8192); }

/**
 * Runs the first part here, each other one on a thread of its own, or here where no thread is to be had.
 *
 * @param Part has a member `Status run()`
 * @returns the first failure in the order of the parts
 */
template <typename Part>
Status runParts(std::vector<Part>& parts) {
  struct Work {
    Part* part;
    Status status;
    pthread_t thread;
    bool hasThread;
  };
  std::vector<Work> works;
  for (Part& part : parts) works.push_back({&part, {}, {}, false});
  const auto run = [](void* work) -> void* {
    auto* own = static_cast<Work*>(work);
    own->status = own->part->run();
    return nullptr;
  };
  for (size_t i = 1; i < works.size(); i++) {
    works[i].hasThread = ::pthread_create(&works[i].thread, nullptr, run, &works[i]) == 0;
  }
  for (Work& work : works) {
    if (!work.hasThread) run(&work);
  }
  for (const Work& work : works) {
    if (work.hasThread) ::pthread_join(work.thread, nullptr);
  }
  for (Work& work : works) {
    if (!work.status.ok()) return work.status;
  }
  return {};
}

}  // namespace gates
