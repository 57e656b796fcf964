#include "fuzz.h"

/** What libFuzzer calls; `TARGET` names the target when this is compiled. */
extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  fuzz::TARGET({data, size});
  return 0;
}
