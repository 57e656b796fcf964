#pragma once

#include <unistd.h>

#include <cerrno>
#include <utility>

namespace gates {

/** An owned descriptor; -1 is none. */
class Fd {
 public:
  Fd() = default;
  explicit Fd(int fd) : fd_(fd) {}
  Fd(Fd&& other) noexcept : fd_(std::exchange(other.fd_, -1)) {}
  Fd& operator=(Fd&& other) noexcept {
    std::swap(fd_, other.fd_);
    return *this;
  }
  /** Leaves errno alone, so that a failed call can still be reported after its descriptors went. */
  ~Fd() {
    const int error = errno;
    if (fd_ >= 0) ::close(fd_);
    errno = error;
  }

  int get() const { return fd_; }
  bool isOpen() const { return fd_ >= 0; }
  int release() { return std::exchange(fd_, -1); }

 private:
  int fd_ = -1;
};

}  // namespace gates
