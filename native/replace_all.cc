#include "replace_all.h"

#include "parts.h"

namespace gates {

namespace {

/** One thread's share of the jobs. */
struct Part {
  std::vector<ReplaceJob>* jobs;
  size_t from;
  size_t to;
  std::chrono::steady_clock::time_point until;

  Status run() const {
    for (size_t i = from; i < to && std::chrono::steady_clock::now() < until; i++) {
      ReplaceJob& job = (*jobs)[i];
      job.status = replaceAt(job.replacement, job.replaced);
      job.isDone = true;
    }
    return {};
  }
};

}  // namespace

void replaceAll(std::vector<ReplaceJob>& jobs, std::chrono::steady_clock::time_point until) {
  const size_t threads = threadsFor(0, jobs.size());
  std::vector<Part> parts;
  for (size_t i = 0; i < threads; i++) parts.push_back({&jobs, jobs.size() * i / threads, jobs.size() * (i + 1) / threads, until});
  static_cast<void>(runParts(parts));  // each job has its own status
}

}  // namespace gates
