#pragma once

#include <string_view>

#include "bytes.h"
#include "sha1.h"

namespace gates {

/** Takes bytes apart: little-endian numbers, and texts behind their 32-bit length. What is not there makes it bad for good. */
class ByteReader {
 public:
  explicit ByteReader(Bytes bytes) : bytes_(bytes) {}

  std::string_view text();
  uint32_t u32();
  uint64_t u64();
  Sha1Digest digest();
  /** So many bytes; none when they are not there. */
  Bytes take(size_t size);
  /** Everything was there and nothing is left. */
  bool isWhole() const { return isGood_ && at_ == bytes_.size; }
  bool isGood() const { return isGood_; }

 private:
  Bytes bytes_;
  size_t at_ = 0;
  bool isGood_ = true;
};

}  // namespace gates
