#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "../bytes.h"

namespace gates::front {

struct Fact {
  uint8_t type = 0;
  uint8_t flags = 0;
  Bytes body;
};

/** A certificate as `core/certificate.ts` writes it; layout in docs/native.md. It points into the bytes it was read from. */
struct Certificate {
  bool isArmed = false;
  std::vector<Fact> facts;

  /** @returns none when a byte is missing, wrong or too many */
  static std::optional<Certificate> parse(Bytes bytes);
};

}  // namespace gates::front
