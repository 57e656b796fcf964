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

/** @returns EAGAIN when what stands there is no longer the file that was looked at */
Status openLooked(const TreePlace& place, const Row& looked, Fd& file) {
  file = openRetrying(place.parent.get(), place.name.c_str(), O_RDONLY | O_NOFOLLOW | O_NONBLOCK);
  const bool isGone = !file.isOpen() && (errno == ENOENT || errno == ELOOP);
  if (!file.isOpen()) return isGone ? fail(EAGAIN, "openat", place.path) : failErrno("openat", place.path);
  struct stat found{};
  if (::fstat(file.get(), &found) != 0) return failErrno("fstat", place.path);
  return place.clock.rowOf(found).sameAs(looked) ? Status{} : fail(EAGAIN, "fstat", place.path);
}

/** @returns EAGAIN when the file changed meanwhile */
Status readFileOnce(const TreePlace& place, FileContent& content) {
  Fd file;
  if (Status status = openLooked(place, content.row, file); !status.ok()) return status;
  Status status = readAll(file.get(), content.row.size, content.bytes, "read", place.path);
  if (!status.ok()) return status;
  reachStep(step::kReadDone);
  struct stat after{};
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

Status openFileAt(const std::string& root, std::string_view path, OpenFile& opened) {
  TreePlace place;
  PathKind parents = PathKind::kAbsent;
  if (Status status = openParents(root, path, nullptr, place, parents); !status.ok()) return status;
  if (parents == PathKind::kUnreachable) return fail(ENOTDIR, "openat", path);
  opened.row = parents == PathKind::kDirectory ? place.look() : emptyRow(PathKind::kAbsent);
  if (opened.row.pathKind() == PathKind::kAbsent) return fail(ENOENT, "openat", path);
  if (Status status = requireFileOrLink(opened.row, path); !status.ok()) return status;
  if (opened.row.pathKind() == PathKind::kLink) return fail(kNotRegular, "openat", path);
  return openLooked(place, opened.row, opened.file);
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
