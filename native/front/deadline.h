#pragma once

#include <cstdint>

namespace gates::front {

/** How long one call may take, the front and Node together; `core/deadline.ts` reads the same variable. */
class Deadline {
 public:
  /** Starts the clock. */
  Deadline();

  int64_t spentMs() const;
  /** On the monotonic clock. */
  int64_t endMs() const;

 private:
  int64_t startedMs_;
};

}  // namespace gates::front
