#pragma once

#include <time.h>

#include <cstdint>

namespace gates {

/** Milliseconds on a clock that nobody sets. */
inline int64_t monotonicMs() {
  struct timespec now{};
  ::clock_gettime(CLOCK_MONOTONIC, &now);
  return static_cast<int64_t>(now.tv_sec) * 1'000 + now.tv_nsec / 1'000'000;
}

}  // namespace gates
