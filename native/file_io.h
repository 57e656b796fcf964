#pragma once

#include <sys/stat.h>

#include <string>

#include "bytes.h"
#include "fd.h"
#include "large_memory.h"
#include "status.h"

namespace gates {

Status writeAll(int fd, Bytes bytes, const char* step, std::string_view path);

/** Reads from the descriptor's position to the end. `sizeHint` saves allocations. */
Status readAll(int fd, size_t sizeHint, std::string& bytes, const char* step, std::string_view path);

/**
 * Reads a file, through links too, without waiting for the writer of a pipe.
 *
 * @returns EISDIR, kNotRegular, EAGAIN when it grew meanwhile
 */
Status readFile(const std::string& path, LargeBytes& content);

/** Copies from one descriptor's position to the other's until the first ends. */
Status copyAll(int from, int to, const char* step, std::string_view path);

/** openat that is repeated when a signal interrupts it; the descriptor is closed on exec. */
Fd openRetrying(int directory, const char* name, int flags, mode_t mode = 0);

}  // namespace gates
