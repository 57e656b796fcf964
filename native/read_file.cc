#include "read_file.h"

#include <fcntl.h>

#include "file_io.h"
#include "steps.h"

namespace gates {

namespace {

constexpr int kTries = 3;

/** @returns EAGAIN when the file changed meanwhile */
Status readLinkOnce(const TreePlace& place, FileContent& content) {
  if (Status status = readLink(place.parent.get(), place.name, content.bytes); !status.ok()) return status;
  return place.look().sameAs(content.row) ? Status{} : fail(EAGAIN, "readlinkat", place.path);
}

/** @returns EAGAIN when the file changed meanwhile */
Status readFileOnce(const TreePlace& place, FileContent& content) {
  const Fd file = openRetrying(place.parent.get(), place.name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const bool isGone = !file.isOpen() && (errno == ENOENT || errno == ELOOP);
  if (!file.isOpen()) return isGone ? fail(EAGAIN, "openat", place.path) : failErrno("openat", place.path);
  struct stat before{};
  struct stat after{};
  if (::fstat(file.get(), &before) != 0) return failErrno("fstat", place.path);
  if (!place.clock.rowOf(before).sameAs(content.row)) return fail(EAGAIN, "fstat", place.path);
  Status status = readAll(file.get(), static_cast<size_t>(before.st_size), content.bytes, "read", place.path);
  if (!status.ok()) return status;
  reachStep(step::kReadDone);
  if (::fstat(file.get(), &after) != 0) return failErrno("fstat", place.path);
  content.nlink = after.st_nlink;
  const bool isStill = place.clock.rowOf(after).sameAs(content.row) && content.bytes.size() == content.row.size;
  return isStill ? Status{} : fail(EAGAIN, "read", place.path);
}

}  // namespace

Status readFileAt(const std::string& root, std::string_view path, FileContent& content) {
  Status status;
  for (int i = 0; i < kTries; i++) {
    TreePlace place;
    PathKind parents = PathKind::kAbsent;
    if (status = openParents(root, path, nullptr, place, parents); !status.ok()) return status;
    if (parents == PathKind::kUnreachable) return fail(ENOTDIR, "openat", path);
    content.row = parents == PathKind::kDirectory ? place.look() : emptyRow(PathKind::kAbsent);
    content.kind = content.row.pathKind();
    if (content.kind == PathKind::kAbsent) return {};
    if (status = requireFileOrLink(content.row, path); !status.ok()) return status;
    status = content.kind == PathKind::kLink ? readLinkOnce(place, content) : readFileOnce(place, content);
    if (status.code != EAGAIN) return status;
  }
  return status;
}

Status readLink(int directory, const std::string& name, std::string& target) {
  target.resize(256);
  for (;;) {
    const ssize_t size = ::readlinkat(directory, name.c_str(), target.data(), target.size());
    if (size < 0) return failErrno("readlinkat", name);
    const bool isWhole = static_cast<size_t>(size) < target.size();
    target.resize(isWhole ? static_cast<size_t>(size) : target.size() * 2);
    if (isWhole) return {};
  }
}

Status requireFileOrLink(const Row& row, std::string_view path) {
  if (row.isFileOrLink()) return {};
  if (row.pathKind() == PathKind::kDirectory) return fail(EISDIR, "fstatat", path);
  return fail(row.pathKind() == PathKind::kUnreachable ? EACCES : kNotRegular, "fstatat", path);
}

}  // namespace gates
