#pragma once

#include <array>
#include <cstddef>
#include <cstdint>

namespace gates {

using Sha1State = std::array<uint32_t, 5>;

constexpr size_t kSha1BlockBytes = 64;

/** Takes whole blocks into the state, by the processor's own instructions where it has them. */
void sha1Blocks(Sha1State& state, const uint8_t* at, size_t blocks);

/** The same on any processor. */
void sha1BlocksPortable(Sha1State& state, const uint8_t* at, size_t blocks);

}  // namespace gates
