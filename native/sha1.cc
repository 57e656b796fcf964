#include "sha1.h"

#include <algorithm>

namespace gates {

void Sha1::update(Bytes bytes) {
  total_ += bytes.size;
  while (bytes.size > 0) {
    const size_t blocks = bytes.size / kSha1BlockBytes;
    if (pendingSize_ == 0 && blocks > 0) {
      sha1Blocks(state_, bytes.data, blocks);
      bytes = {bytes.data + blocks * kSha1BlockBytes, bytes.size % kSha1BlockBytes};
      continue;
    }
    const size_t taken = std::min(bytes.size, pending_.size() - pendingSize_);
    std::memcpy(pending_.data() + pendingSize_, bytes.data, taken);
    pendingSize_ += taken;
    bytes = {bytes.data + taken, bytes.size - taken};
    if (pendingSize_ == kSha1BlockBytes) takePending();
  }
}

Sha1Digest Sha1::finish() {
  const uint64_t bits = total_ * 8;
  pending_[pendingSize_++] = 0x80;
  if (pendingSize_ > 56) {
    std::fill(pending_.begin() + static_cast<ptrdiff_t>(pendingSize_), pending_.end(), uint8_t{0});
    takePending();
  }
  std::fill(pending_.begin() + static_cast<ptrdiff_t>(pendingSize_), pending_.end(), uint8_t{0});
  for (int i = 0; i < 8; i++) pending_[static_cast<size_t>(56 + i)] = static_cast<uint8_t>(bits >> (56 - 8 * i));
  takePending();

  Sha1Digest digest;
  for (size_t i = 0; i < digest.size(); i++) digest[i] = static_cast<uint8_t>(state_[i / 4] >> (24 - 8 * (i % 4)));
  return digest;
}

void Sha1::takePending() {
  sha1Blocks(state_, pending_.data(), 1);
  pendingSize_ = 0;
}

Sha1 startBlob(size_t size) {
  const std::string header = "blob " + std::to_string(size);
  Sha1 hash;
  hash.update({reinterpret_cast<const uint8_t*>(header.c_str()), header.size() + 1});
  return hash;
}

Sha1Digest blobId(Bytes bytes) {
  Sha1 hash = startBlob(bytes.size);
  hash.update(bytes);
  return hash.finish();
}

}  // namespace gates
