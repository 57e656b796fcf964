#include "fuzz.h"
#include "sha1.h"

namespace fuzz {

void digest(Bytes input) {
  gates::Sha1State byInstructions{1, 2, 3, 4, 5};
  gates::Sha1State portable = byInstructions;
  gates::sha1Blocks(byInstructions, input.data, input.size / gates::kSha1BlockBytes);
  gates::sha1BlocksPortable(portable, input.data, input.size / gates::kSha1BlockBytes);
  check(byInstructions == portable, "every processor digests alike");

  const size_t cut = input.size == 0 ? 0 : input.data[0] % (input.size + 1);
  gates::Sha1 pieces;
  pieces.update({input.data, cut});
  pieces.update({input.data + cut, input.size - cut});
  check(pieces.finish() == gates::sha1(input), "pieces digest as the whole");
}

}  // namespace fuzz
