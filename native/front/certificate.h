#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "../bytes.h"
#include "../sha1.h"

namespace gates::front {

/** Takes a fact's body apart; what is not there makes it bad for good. */
class FactReader {
 public:
  explicit FactReader(Bytes body) : body_(body) {}

  std::string_view text();
  uint32_t u32();
  uint64_t u64();
  Sha1Digest digest();
  /** Everything was there and nothing is left. */
  bool isWhole() const { return isGood_ && at_ == body_.size; }
  bool isGood() const { return isGood_; }

 private:
  const uint8_t* take(size_t size);

  Bytes body_;
  size_t at_ = 0;
  bool isGood_ = true;
};

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
