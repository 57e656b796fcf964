#include "front/certificate.h"

#include <cstring>
#include <fstream>
#include <iterator>

#include "front.h"
#include "front/facts.h"
#include "front_names.h"
#include "fuzz.h"
#include "sha1.h"

namespace fuzz {

namespace {

std::string required(const char* name) {
  const char* value = std::getenv(name);
  check(value != nullptr, name);
  return value;
}

}  // namespace

const Held& held() {
  static const Held* const made = [] {
    auto* where = new Held{required("FUZZ_STATE_ROOT"), {}};
    std::ifstream file(required("FUZZ_PAYLOAD"), std::ios::binary);
    check(where->payload.read(std::string(std::istreambuf_iterator<char>(file), {})), "the payload can be read");
    return where;
  }();
  return *made;
}

std::string sealed(std::string content) {
  const gates::Sha1Digest digest = gates::sha1(gates::bytesOf(content));
  return content.append(digest.begin(), digest.end());
}

bool isHeld(Bytes input) {
  const auto certificate = gates::front::Certificate::parse(input);
  if (!certificate) return false;
  const uint8_t* at = input.data + gates::front::kCertificateHeaderBytes;
  for (const gates::front::Fact& fact : certificate->facts) {
    check(fact.body.data == at + 8, "facts stand one behind the other");
    at = fact.body.data + fact.body.size;
  }
  check(at + gates::kSha1Size == input.data + input.size, "facts fill the certificate");
  std::unique_ptr<gates::front::TreeLook> left;
  return gates::front::hold(*certificate, held().payload, held().root, {}, left);
}

/** As it is, and with the size and the seal that its bytes would have. */
void certificate(Bytes input) {
  (void)isHeld(input);
  std::string content(input.view());
  if (content.size() >= static_cast<size_t>(gates::front::kCertificateHeaderBytes)) {
    const uint32_t size = static_cast<uint32_t>(content.size() + gates::kSha1Size);
    for (int i = 0; i < 4; i++) content[static_cast<size_t>(12 + i)] = static_cast<char>(size >> 8 * i & 0xff);
  }
  const std::string whole = sealed(std::move(content));
  (void)isHeld(gates::bytesOf(whole));
}

}  // namespace fuzz
