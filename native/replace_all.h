#pragma once

#include <chrono>
#include <vector>

#include "replace.h"

namespace gates {

struct ReplaceJob {
  Replacement replacement;
  Replaced replaced;
  Status status;
  /** False when time was up before its turn. */
  bool isDone = false;
};

/** Does all jobs on threads; each as `replaceAt` alone would, and none is begun after `until`. */
void replaceAll(std::vector<ReplaceJob>& jobs, std::chrono::steady_clock::time_point until);

}  // namespace gates
