#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>

namespace gates {

/** Bytes that somebody else owns. */
struct Bytes {
  const uint8_t* data = nullptr;
  size_t size = 0;

  std::string_view view() const { return {reinterpret_cast<const char*>(data), size}; }
};

inline Bytes bytesOf(std::string_view text) { return {reinterpret_cast<const uint8_t*>(text.data()), text.size()}; }

inline uint16_t readBe16(const uint8_t* at) { return static_cast<uint16_t>(at[0] << 8 | at[1]); }

inline uint32_t readBe32(const uint8_t* at) {
  return static_cast<uint32_t>(at[0]) << 24 | static_cast<uint32_t>(at[1]) << 16 | static_cast<uint32_t>(at[2]) << 8 |
         at[3];
}

inline uint32_t readLe32(const uint8_t* at) {
  return static_cast<uint32_t>(at[0]) | static_cast<uint32_t>(at[1]) << 8 | static_cast<uint32_t>(at[2]) << 16 |
         static_cast<uint32_t>(at[3]) << 24;
}

inline void appendBe16(std::string& out, uint32_t value) {
  out.push_back(static_cast<char>(value >> 8 & 0xff));
  out.push_back(static_cast<char>(value & 0xff));
}

inline void appendBe32(std::string& out, uint32_t value) {
  appendBe16(out, value >> 16);
  appendBe16(out, value);
}

std::string toHex(const uint8_t* bytes, size_t size);
/** @returns false unless the text is `2 * size` hex digits */
bool fromHex(std::string_view text, uint8_t* bytes, size_t size);

}  // namespace gates
