#include "certificate.h"

#include <cstring>

#include "front_names.h"

namespace gates::front {

namespace {

constexpr size_t kFactHeaderBytes = 8;

uint32_t readLe32(const uint8_t* at) {
  return static_cast<uint32_t>(at[0]) | static_cast<uint32_t>(at[1]) << 8 | static_cast<uint32_t>(at[2]) << 16 |
         static_cast<uint32_t>(at[3]) << 24;
}

}  // namespace

const uint8_t* FactReader::take(size_t size) {
  if (!isGood_ || size > body_.size - at_) {
    isGood_ = false;
    return nullptr;
  }
  const uint8_t* taken = body_.data + at_;
  at_ += size;
  return taken;
}

std::string_view FactReader::text() {
  const size_t size = u32();
  const uint8_t* taken = take(size);
  return taken == nullptr ? std::string_view() : std::string_view(reinterpret_cast<const char*>(taken), size);
}

uint32_t FactReader::u32() {
  const uint8_t* taken = take(4);
  return taken == nullptr ? 0 : readLe32(taken);
}

uint64_t FactReader::u64() {
  const uint64_t low = u32();
  return low | static_cast<uint64_t>(u32()) << 32;
}

Sha1Digest FactReader::digest() {
  Sha1Digest digest{};
  if (const uint8_t* taken = take(kSha1Size); taken != nullptr) std::memcpy(digest.data(), taken, kSha1Size);
  return digest;
}

std::optional<Certificate> Certificate::parse(Bytes bytes) {
  constexpr size_t kHeaderBytes = static_cast<size_t>(kCertificateHeaderBytes);
  if (bytes.size < kHeaderBytes + kSha1Size || bytes.size > static_cast<size_t>(kCertificateLimitBytes)) return std::nullopt;
  const uint8_t* at = bytes.data;
  if (bytes.view().substr(0, 4) != kCertificateMagic || at[4] != kCertificateVersion) return std::nullopt;
  if ((at[5] != kKindIdle && at[5] != kKindArmed) || readLe32(at + 12) != bytes.size) return std::nullopt;
  const size_t end = bytes.size - kSha1Size;
  if (std::memcmp(sha1({at, end}).data(), at + end, kSha1Size) != 0) return std::nullopt;

  Certificate certificate;
  certificate.isArmed = at[5] == kKindArmed;
  size_t offset = kHeaderBytes;
  for (uint32_t left = readLe32(at + 8); left > 0; left--) {
    if (end - offset < kFactHeaderBytes) return std::nullopt;
    const uint32_t size = readLe32(at + offset + 4);
    const Fact fact{at[offset], at[offset + 1], {at + offset + kFactHeaderBytes, size}};
    offset += kFactHeaderBytes;
    if (size > end - offset) return std::nullopt;
    offset += size;
    certificate.facts.push_back(fact);
  }
  return offset == end ? std::optional<Certificate>(std::move(certificate)) : std::nullopt;
}

}  // namespace gates::front
