#pragma once

#include <string_view>

#include "bytes.h"
#include "status.h"

namespace gates {

/**
 * A file in memory without a copy of its bytes. What is written there stays in this process. The file may be replaced or
 * removed meanwhile, but must not be cut short: to touch what is gone ends the process.
 */
class MappedFile {
 public:
  MappedFile() = default;
  MappedFile(const MappedFile&) = delete;
  MappedFile& operator=(const MappedFile&) = delete;
  ~MappedFile();

  /** @returns kNotRegular for what is no regular file; an empty one has no bytes */
  Status map(int file, std::string_view path);

  Bytes bytes() const { return {bytes_, size_}; }
  uint8_t* data() { return bytes_; }

 private:
  uint8_t* bytes_ = nullptr;
  size_t size_ = 0;
};

}  // namespace gates
