#include "large_memory.h"

#include <sys/mman.h>

#include <cstdint>
#include <cstdlib>

namespace gates {

namespace {

constexpr size_t kHugePageBytes = size_t{2} << 20;
/** Less than this is not worth the rounding up. */
constexpr size_t kLargeBytes = 2 * kHugePageBytes;

size_t roundedUp(size_t bytes) { return (bytes + kHugePageBytes - 1) & ~(kHugePageBytes - 1); }

}  // namespace

void* allocateLarge(size_t bytes) {
  if (bytes < kLargeBytes) return std::malloc(bytes == 0 ? 1 : bytes);
  const size_t size = roundedUp(bytes);
  // One page more, of which what does not lie on the boundary is given back.
  void* mapped = ::mmap(nullptr, size + kHugePageBytes, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (mapped == MAP_FAILED) return nullptr;
  const auto start = reinterpret_cast<uintptr_t>(mapped);
  const uintptr_t aligned = roundedUp(start);
  if (aligned > start) ::munmap(mapped, aligned - start);
  const size_t behind = start + kHugePageBytes - aligned;
  if (behind > 0) ::munmap(reinterpret_cast<void*>(aligned + size), behind);
  void* memory = reinterpret_cast<void*>(aligned);
#ifdef MADV_HUGEPAGE
  ::madvise(memory, size, MADV_HUGEPAGE);
#endif
  return memory;
}

void freeLarge(void* memory, size_t bytes) {
  if (bytes < kLargeBytes) std::free(memory);
  else ::munmap(memory, roundedUp(bytes));
}

}  // namespace gates
