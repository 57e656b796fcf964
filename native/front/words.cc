#include "words.h"

#include <cstring>

namespace gates::front {

namespace {

char lower(char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c | 0x20) : c; }

bool startsWith(std::string_view text, std::string_view lowerWord) {
  if (text.size() < lowerWord.size()) return false;
  for (size_t i = 0; i < lowerWord.size(); i++) {
    if (lower(text[i]) != lowerWord[i]) return false;
  }
  return true;
}

/** How many bytes at the start may be a blank; 0: none. */
size_t blankSize(std::string_view text) {
  if (text.empty()) return 0;
  const unsigned char c = static_cast<unsigned char>(text[0]);
  if (c <= ' ' || c >= 0x80) return 1;
  if (c != '\\' || text.size() < 2) return 0;
  if (text[1] == 'u') return 6 <= text.size() ? 6 : text.size();
  return std::strchr("tnrfv", text[1]) != nullptr ? 2 : 0;
}

}  // namespace

bool has(std::string_view text, std::string_view word) {
  return ::memmem(text.data(), text.size(), word.data(), word.size()) != nullptr;
}

bool hasEscapedLetter(std::string_view text) {
  constexpr std::string_view kStart = "\\u00";
  while (const void* found = ::memmem(text.data(), text.size(), kStart.data(), kStart.size())) {
    text.remove_prefix(static_cast<size_t>(static_cast<const char*>(found) - text.data()) + kStart.size());
    if (!text.empty() && text[0] >= '2' && text[0] <= '7') return true;
  }
  return false;
}

bool mayStateCause(std::string_view text) {
  for (size_t i = 0; i + 9 < text.size(); i++) {
    if (lower(text[i]) != 'r' || !startsWith(text.substr(i), "root")) continue;
    std::string_view rest = text.substr(i + 4);
    bool hasBlank = false;
    for (size_t size = blankSize(rest); size > 0; size = blankSize(rest)) {
      rest.remove_prefix(size);
      hasBlank = true;
    }
    if (hasBlank && startsWith(rest, "cause")) return true;
  }
  return false;
}

}  // namespace gates::front
