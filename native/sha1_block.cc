#include "sha1_block.h"

#include "bytes.h"

#if defined(__x86_64__)
#include <cpuid.h>
#include <immintrin.h>
#endif

namespace gates {

namespace {

uint32_t rotate(uint32_t value, int bits) { return value << bits | value >> (32 - bits); }

void block(Sha1State& state, const uint8_t* at) {
  uint32_t w[80];
  for (int i = 0; i < 16; i++) w[i] = readBe32(at + 4 * i);
  for (int i = 16; i < 80; i++) w[i] = rotate(w[i - 3] ^ w[i - 8] ^ w[i - 14] ^ w[i - 16], 1);

  uint32_t a = state[0], b = state[1], c = state[2], d = state[3], e = state[4];
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

  state = {state[0] + a, state[1] + b, state[2] + c, state[3] + d, state[4] + e};
}

#if defined(__x86_64__)

bool hasInstructions() {
  unsigned a = 0, b = 0, c = 0, d = 0;
  if (__get_cpuid(1, &a, &b, &c, &d) == 0 || (c & bit_SSSE3) == 0 || (c & bit_SSE4_1) == 0) return false;
  return __get_cpuid_count(7, 0, &a, &b, &c, &d) != 0 && (b & bit_SHA) != 0;
}

/** Four rounds a step, the words of a step in one register (Intel's SHA extensions, "SHA1RNDS4"). */
__attribute__((target("sha,sse4.1,ssse3"))) void blocksByInstructions(Sha1State& state, const uint8_t* at, size_t blocks) {
  const __m128i bigEndian = _mm_set_epi64x(0x0001020304050607, 0x08090a0b0c0d0e0f);
  __m128i abcd = _mm_shuffle_epi32(_mm_loadu_si128(reinterpret_cast<const __m128i*>(state.data())), 0x1b);
  __m128i e = _mm_set_epi32(static_cast<int>(state[4]), 0, 0, 0);
  for (; blocks > 0; blocks--, at += kSha1BlockBytes) {
    const __m128i abcdBefore = abcd;
    const __m128i eBefore = e;
    __m128i w[20];
    for (int i = 0; i < 4; i++) {
      w[i] = _mm_shuffle_epi8(_mm_loadu_si128(reinterpret_cast<const __m128i*>(at + 16 * i)), bigEndian);
    }
    for (int i = 4; i < 20; i++) {
      w[i] = _mm_sha1msg2_epu32(_mm_xor_si128(_mm_sha1msg1_epu32(w[i - 4], w[i - 3]), w[i - 2]), w[i - 1]);
    }
    // The number of the function is part of the instruction, so it must be a constant.
#define GATES_FIVE_STEPS(first, function)                                                     \
  for (int i = first; i < first + 5; i++) {                                                   \
    const __m128i words = i == 0 ? _mm_add_epi32(e, w[0]) : _mm_sha1nexte_epu32(e, w[i]);     \
    e = abcd;                                                                                 \
    abcd = _mm_sha1rnds4_epu32(abcd, words, function);                                        \
  }
    GATES_FIVE_STEPS(0, 0)
    GATES_FIVE_STEPS(5, 1)
    GATES_FIVE_STEPS(10, 2)
    GATES_FIVE_STEPS(15, 3)
#undef GATES_FIVE_STEPS
    e = _mm_sha1nexte_epu32(e, eBefore);
    abcd = _mm_add_epi32(abcd, abcdBefore);
  }
  _mm_storeu_si128(reinterpret_cast<__m128i*>(state.data()), _mm_shuffle_epi32(abcd, 0x1b));
  state[4] = static_cast<uint32_t>(_mm_extract_epi32(e, 3));
}

#endif

}  // namespace

void sha1Blocks(Sha1State& state, const uint8_t* at, size_t blocks) {
#if defined(__x86_64__)
  static const bool isFast = hasInstructions();
  if (isFast) return blocksByInstructions(state, at, blocks);
#endif
  sha1BlocksPortable(state, at, blocks);
}

void sha1BlocksPortable(Sha1State& state, const uint8_t* at, size_t blocks) {
  for (; blocks > 0; blocks--, at += kSha1BlockBytes) block(state, at);
}

}  // namespace gates
