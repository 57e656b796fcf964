#include "sha1.h"

#include <algorithm>

namespace gates {

namespace {

uint32_t rotate(uint32_t value, int bits) { return value << bits | value >> (32 - bits); }

}  // namespace

void Sha1::update(Bytes bytes) {
  total_ += bytes.size;
  while (bytes.size > 0) {
    if (pendingSize_ == 0 && bytes.size >= 64) {
      block(bytes.data);
      bytes = {bytes.data + 64, bytes.size - 64};
      continue;
    }
    const size_t taken = std::min(bytes.size, pending_.size() - pendingSize_);
    std::memcpy(pending_.data() + pendingSize_, bytes.data, taken);
    pendingSize_ += taken;
    bytes = {bytes.data + taken, bytes.size - taken};
    if (pendingSize_ < 64) continue;
    block(pending_.data());
    pendingSize_ = 0;
  }
}

Sha1Digest Sha1::finish() {
  const uint64_t bits = total_ * 8;
  pending_[pendingSize_++] = 0x80;
  if (pendingSize_ > 56) {
    std::fill(pending_.begin() + static_cast<ptrdiff_t>(pendingSize_), pending_.end(), uint8_t{0});
    block(pending_.data());
    pendingSize_ = 0;
  }
  std::fill(pending_.begin() + static_cast<ptrdiff_t>(pendingSize_), pending_.end(), uint8_t{0});
  for (int i = 0; i < 8; i++) pending_[static_cast<size_t>(56 + i)] = static_cast<uint8_t>(bits >> (56 - 8 * i));
  block(pending_.data());

  Sha1Digest digest;
  for (size_t i = 0; i < digest.size(); i++) digest[i] = static_cast<uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

void Sha1::block(const uint8_t* at) {
  uint32_t w[80];
  for (int i = 0; i < 16; i++) w[i] = readBe32(at + 4 * i);
  for (int i = 16; i < 80; i++) w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);

  uint32_t a = state_[0], b = state_[1], c = state_[2], d = state_[3], e = state_[4];
  const auto round = [&](uint32_t mixed, uint32_t constant, uint32_t word) {
    const uint32_t next = rotate(a, 5) + mixed + e + constant + word;
    e = d;
    d = c;
    c = rotate(b, 30);
    b = a;
    a = next;
  };
  for (int i = 0; i < 20; i++) round((b & c) | (~b & d), 0x5a827999, w[i]);
  for (int i = 20; i < 40; i++) round(b ^ c ^ d, 0x6ed9eba1, w[i]);
  for (int i = 40; i < 60; i++) round((b & c) | (b & d) | (c & d), 0x8f1bbcdc, w[i]);
  for (int i = 60; i < 80; i++) round(b ^ c ^ d, 0xca62c1d6, w[i]);

  state_ = {state_[0] + a, state_[1] + b, state_[2] + c, state_[3] + d, state_[4] + e};
}

Sha1Digest blobId(Bytes bytes) {
  const std::string header = "blob " + std::to_string(bytes.size);
  Sha1 hash;
  hash.update({reinterpret_cast<const uint8_t*>(header.c_str()), header.size() + 1});
  hash.update(bytes);
  return hash.finish();
}

}  // namespace gates
