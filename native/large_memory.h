#pragma once

#include <cstddef>
#include <cstdlib>
#include <utility>
#include <vector>

#include "bytes.h"

namespace gates {

/**
 * Memory in huge pages where it is large and the system gives them: a large tree's index and rows are tens of megabytes,
 * and to make them page by page takes as long as to fill them. @returns nullptr when there is none
 */
void* allocateLarge(size_t bytes);
void freeLarge(void* memory, size_t bytes);

template <typename T>
struct LargeAllocator {
  using value_type = T;

  LargeAllocator() = default;
  template <typename Other>
  LargeAllocator(const LargeAllocator<Other>&) {}

  T* allocate(size_t count) {
    void* memory = allocateLarge(count * sizeof(T));
    if (memory == nullptr) std::abort();
    return static_cast<T*>(memory);
  }
  void deallocate(T* memory, size_t count) { freeLarge(memory, count * sizeof(T)); }

  template <typename Other>
  bool operator==(const LargeAllocator<Other>&) const { return true; }
  template <typename Other>
  bool operator!=(const LargeAllocator<Other>&) const { return false; }
};

template <typename T>
using LargeVector = std::vector<T, LargeAllocator<T>>;

/** Bytes of a fixed size, not set to anything at first. */
class LargeBytes {
 public:
  LargeBytes() = default;
  explicit LargeBytes(size_t size) : data_(static_cast<uint8_t*>(allocateLarge(size))), size_(size), allocated_(size) {}
  LargeBytes(LargeBytes&& other) noexcept { *this = std::move(other); }
  LargeBytes& operator=(LargeBytes&& other) noexcept {
    std::swap(data_, other.data_);
    std::swap(size_, other.size_);
    std::swap(allocated_, other.allocated_);
    return *this;
  }
  ~LargeBytes() {
    if (data_ != nullptr) freeLarge(data_, allocated_);
  }

  /** nullptr where there was no memory. */
  uint8_t* data() { return data_; }
  Bytes bytes() const { return {data_, size_}; }
  void shrinkTo(size_t size) { size_ = size; }

 private:
  uint8_t* data_ = nullptr;
  size_t size_ = 0;
  size_t allocated_ = 0;
};

}  // namespace gates
