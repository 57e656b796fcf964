#include "certificate.h"

#include <cstring>

#include "../sha1.h"
#include "front_names.h"

namespace gates::front {

namespace {

constexpr size_t kFactHeaderBytes = 8;

}  // namespace

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
