#include "byte_reader.h"

#include <cstring>

namespace gates {

Bytes ByteReader::take(size_t size) {
  if (!isGood_ || size > bytes_.size - at_) {
    isGood_ = false;
    return {};
  }
  const Bytes taken{bytes_.data + at_, size};
  at_ += size;
  return taken;
}

std::string_view ByteReader::text() { return take(u32()).view(); }

uint32_t ByteReader::u32() {
  const Bytes taken = take(4);
  return isGood_ ? readLe32(taken.data) : 0;
}

uint64_t ByteReader::u64() {
  const uint64_t low = u32();
  return low | static_cast<uint64_t>(u32()) << 32;
}

Sha1Digest ByteReader::digest() {
  Sha1Digest digest{};
  const Bytes taken = take(kSha1Size);
  if (isGood_) std::memcpy(digest.data(), taken.data, kSha1Size);
  return digest;
}

}  // namespace gates
