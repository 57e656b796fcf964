#include "deadline.h"

#include <algorithm>
#include <string>

#include "../clock.h"
#include "front_names.h"
#include "state.h"

namespace gates::front {

namespace {

/** @returns 0 for anything but a number */
int64_t numberIn(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\n\v\f\r";
  text.remove_prefix(std::min(text.find_first_not_of(kBlanks), text.size()));
  text = text.substr(0, text.find_last_not_of(kBlanks) + 1);
  int64_t number = 0;
  for (const char c : text) {
    if (c < '0' || c > '9') return 0;
    number = std::min(number * 10 + (c - '0'), kLongestDeadlineMs);
  }
  return number;
}

}  // namespace

Deadline::Deadline() : startedMs_(monotonicMs()) {}

int64_t Deadline::spentMs() const { return monotonicMs() - startedMs_; }

int64_t Deadline::endMs() const {
  const int64_t asked = numberIn(variable(std::string(kDeadlineName)).value_or(""));
  return startedMs_ + (asked > 0 ? asked : kDefaultDeadlineMs);
}

}  // namespace gates::front
