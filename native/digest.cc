#include "digest.h"

#include <dlfcn.h>

namespace gates {

namespace {

constexpr size_t kLongestDigestBytes = 64;

/** `EVP_get_digestbyname`, `EVP_Digest`: the program's own, before those of any library. */
using FindByName = const void* (*)(const char* name);
using DigestAll = int (*)(const void* data, size_t count, unsigned char* found, unsigned int* size, const void* type, void* engine);

template <typename Function>
Function functionOf(const char* name) {
  return reinterpret_cast<Function>(::dlsym(RTLD_DEFAULT, name));
}

}  // namespace

Status digest(const char* name, Bytes bytes, std::string& found) {
  static const auto findByName = functionOf<FindByName>("EVP_get_digestbyname");
  static const auto digestAll = functionOf<DigestAll>("EVP_Digest");
  const void* type = findByName == nullptr ? nullptr : findByName(name);
  unsigned int size = kLongestDigestBytes;
  found.resize(size);
  const bool isMade = type != nullptr && digestAll != nullptr &&
                      digestAll(bytes.data, bytes.size, reinterpret_cast<unsigned char*>(found.data()), &size, type, nullptr) == 1;
  if (!isMade) return fail(ENOSYS, "EVP_Digest", {}, name);
  found.resize(size);
  return {};
}

}  // namespace gates
