#include "file_io.h"

#include <fcntl.h>

#include <memory>

namespace gates {

namespace {

constexpr size_t kChunk = size_t{1} << 18;

}  // namespace

Status writeAll(int fd, Bytes bytes, const char* step, std::string_view path) {
  while (bytes.size > 0) {
    const ssize_t written = ::write(fd, bytes.data, bytes.size);
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return failErrno(step, path);
    bytes = {bytes.data + written, bytes.size - static_cast<size_t>(written)};
  }
  return {};
}

Status readAll(int fd, size_t sizeHint, std::string& bytes, const char* step, std::string_view path) {
  bytes.resize(sizeHint + 1);
  size_t size = 0;
  for (;;) {
    if (size == bytes.size()) bytes.resize(size + kChunk);
    const ssize_t got = ::read(fd, bytes.data() + size, bytes.size() - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failErrno(step, path);
    if (got == 0) break;
    size += static_cast<size_t>(got);
  }
  bytes.resize(size);
  return {};
}

Status readFile(const std::string& path, LargeBytes& content) {
  const Fd file = openRetrying(AT_FDCWD, path.c_str(), O_RDONLY | O_NONBLOCK);
  struct stat found{};
  if (!file.isOpen() || ::fstat(file.get(), &found) != 0) return failErrno("open", path);
  if (!S_ISREG(found.st_mode)) return fail(S_ISDIR(found.st_mode) ? EISDIR : kNotRegular, "read", path);
  const size_t wanted = static_cast<size_t>(found.st_size);
  content = LargeBytes(wanted);
  if (content.data() == nullptr) return fail(ENOMEM, "read", path);
  size_t size = 0;
  for (;;) {
    uint8_t more = 0;
    const bool isFull = size == wanted;
    const ssize_t got = isFull ? ::read(file.get(), &more, 1) : ::read(file.get(), content.data() + size, wanted - size);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failErrno("read", path);
    if (got > 0 && isFull) return fail(EAGAIN, "read", path);
    if (got == 0) break;
    size += static_cast<size_t>(got);
  }
  content.shrinkTo(size);
  return {};
}

Status copyAll(int from, int to, const char* step, std::string_view path) {
  const auto chunk = std::make_unique<uint8_t[]>(kChunk);
  for (;;) {
    const ssize_t got = ::read(from, chunk.get(), kChunk);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return failErrno(step, path);
    if (got == 0) return {};
    if (Status status = writeAll(to, {chunk.get(), static_cast<size_t>(got)}, step, path); !status.ok()) return status;
  }
}

Fd openRetrying(int directory, const char* name, int flags, mode_t mode) {
  for (;;) {
    const int fd = ::openat(directory, name, flags | O_CLOEXEC, mode);
    if (fd >= 0 || errno != EINTR) return Fd(fd);
  }
}

}  // namespace gates
