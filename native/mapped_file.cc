#include "mapped_file.h"

#include <sys/mman.h>
#include <sys/stat.h>

namespace gates {

MappedFile::~MappedFile() {
  if (bytes_ != nullptr) ::munmap(bytes_, size_);
}

Status MappedFile::map(int file, std::string_view path) {
  struct stat found{};
  if (::fstat(file, &found) != 0) return failErrno("fstat", path);
  if (!S_ISREG(found.st_mode)) return fail(kNotRegular, "mmap", path);
  if (found.st_size == 0) return {};
  const size_t size = static_cast<size_t>(found.st_size);
  void* start = ::mmap(nullptr, size, PROT_READ | PROT_WRITE, MAP_PRIVATE, file, 0);
  if (start == MAP_FAILED) return failErrno("mmap", path);
  bytes_ = static_cast<uint8_t*>(start);
  size_ = size;
  return {};
}

}  // namespace gates
