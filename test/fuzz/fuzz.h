#pragma once

#include <cstdio>
#include <cstdlib>

#include "bytes.h"

namespace fuzz {

using gates::Bytes;

/** What any bytes are held against: it returns, reads nothing out of bounds, and keeps its promises. */
using Target = void (*)(Bytes input);

void index(Bytes input);
void table(Bytes input);
void tree(Bytes input);
void ident(Bytes input);
void certificate(Bytes input);
void payload(Bytes input);
void transcript(Bytes input);
void digest(Bytes input);
void scan(Bytes input);

/** A broken promise ends the process, as a memory error does. */
inline void check(bool holds, const char* promise) {
  if (holds) return;
  std::fprintf(stderr, "broken promise: %s\n", promise);
  std::abort();
}

/** Takes as many bytes from the front of the input as its first byte says. */
inline Bytes takeShort(Bytes& input) {
  if (input.size == 0) return {};
  const size_t size = input.data[0] < input.size - 1 ? input.data[0] : input.size - 1;
  const Bytes taken{input.data + 1, size};
  input = {input.data + 1 + size, input.size - 1 - size};
  return taken;
}

}  // namespace fuzz
