#pragma once

#include <array>
#include <cstdint>

#include "bytes.h"
#include "sha1_block.h"

namespace gates {

constexpr size_t kSha1Size = 20;
using Sha1Digest = std::array<uint8_t, kSha1Size>;

/** SHA-1 as in RFC 3174, fed in pieces. */
class Sha1 {
 public:
  void update(Bytes bytes);
  Sha1Digest finish();

 private:
  void takePending();

  Sha1State state_{0x67452301, 0xefcdab89, 0x98badcfe, 0x10325476, 0xc3d2e1f0};
  std::array<uint8_t, kSha1BlockBytes> pending_{};
  size_t pendingSize_ = 0;
  uint64_t total_ = 0;
};

inline Sha1Digest sha1(Bytes bytes) {
  Sha1 hash;
  hash.update(bytes);
  return hash.finish();
}

/** The id of a blob of that size, once its bytes are fed. */
Sha1 startBlob(size_t size);

/** Id that git gives a blob of these bytes. */
Sha1Digest blobId(Bytes bytes);

}  // namespace gates
