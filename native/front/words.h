#pragma once

#include <algorithm>
#include <iterator>
#include <string_view>

namespace gates::front {

/**
 * Whether a text could state a root cause, by what `transcript/facts.ts` looks for. What may be a blank counts as one: bytes
 * over 127, and the escapes of a JSON string, as the transcript has them.
 */
bool mayStateCause(std::string_view text);

/**
 * Whether bytes of a transcript could spell one of these words. A plain letter that is written as an escape counts as all of
 * them, which no client does.
 */
template <typename Words>
bool maySpell(std::string_view text, const Words& words);

bool hasEscapedLetter(std::string_view text);

bool has(std::string_view text, std::string_view word);

/** Whether a list of names holds a word. */
template <size_t size>
bool isAmong(std::string_view word, const std::string_view (&names)[size]) {
  return std::find(std::begin(names), std::end(names), word) != std::end(names);
}

template <typename Words>
bool maySpell(std::string_view text, const Words& words) {
  for (const std::string_view word : words) {
    if (has(text, word)) return true;
  }
  return hasEscapedLetter(text);
}

}  // namespace gates::front
