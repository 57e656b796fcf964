#include "large_blob.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <memory>

#include "file_io.h"

namespace gates {

namespace {

constexpr size_t kChunkBytes = size_t{1} << 20;

Status damaged(const ObjectId& id) {
  return fail(kGitFailed, "git_odb_read", toHex(id.data(), id.size()), "the blob's content does not have its id");
}

/** @returns ENOTSUP when the database cannot give the blob in pieces */
Status writeInPieces(const GitRepository& git, const ObjectId& id, const Fd& to, const std::string& file) {
  const LibGit2& lib = *git.lib;
  const git_oid oid = toGitOid(id.data());
  git_odb_stream* opened = nullptr;
  size_t size = 0;
  git_object_t type = GIT_OBJECT_INVALID;
  if (lib.odb_open_rstream(&opened, &size, &type, git.odb.get(), &oid) != 0) return fail(ENOTSUP, "git_odb_open_rstream", file);
  const GitOwned<git_odb_stream> stream(opened, lib.odb_stream_free);

  Sha1 hash = startBlob(size);
  const auto chunk = std::make_unique<char[]>(kChunkBytes);
  for (size_t left = size; left > 0;) {
    const int got = lib.odb_stream_read(stream.get(), chunk.get(), std::min(left, kChunkBytes));
    if (got <= 0) return damaged(id);
    const Bytes piece = bytesOf({chunk.get(), static_cast<size_t>(got)});
    hash.update(piece);
    if (Status status = writeAll(to.get(), piece, "write", file); !status.ok()) return status;
    left -= static_cast<size_t>(got);
  }
  return hash.finish() == id ? Status{} : damaged(id);
}

/** Reads the blob as a whole, without the copy of it that `readObject` makes. */
Status useWhole(const GitRepository& git, const ObjectId& id, const std::function<Status(Bytes)>& use) {
  const LibGit2& lib = *git.lib;
  const git_oid oid = toGitOid(id.data());
  git_odb_object* found = nullptr;
  // libgit2 would look at the id, too, at a third of our speed.
  lib.libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 0);
  const int result = lib.odb_read(&found, git.odb.get(), &oid);
  lib.libgit2_opts(GIT_OPT_ENABLE_STRICT_HASH_VERIFICATION, 1);
  if (Status status = gitStatus(lib, result, "git_odb_read", toHex(id.data(), id.size())); !status.ok()) return status;
  const GitOwned<git_odb_object> object(found, lib.odb_object_free);
  const Bytes bytes{static_cast<const uint8_t*>(lib.odb_object_data(found)), lib.odb_object_size(found)};
  return blobId(bytes) == id ? use(bytes) : damaged(id);
}

Status write(const GitRepository& git, const GitRepository* view, const ObjectId& id, const std::string& path, const Fd& to,
             const std::string& file) {
  bool isConverted = false;
  Status status = view == nullptr ? Status{} : mayConvert(*view, path, Direction::kSmudge, isConverted);
  if (status.ok() && !isConverted) {
    status = writeInPieces(git, id, to, file);
    if (status.code != ENOTSUP) return status;
    status = {};
  }
  const auto toFile = [&](Bytes bytes) { return writeAll(to.get(), bytes, "write", file); };
  if (!status.ok()) return status;
  return useWhole(git, id, [&](Bytes bytes) {
    return isConverted ? convertInto(*view, path, bytes, Direction::kSmudge, toFile) : toFile(bytes);
  });
}

}  // namespace

Status blobSize(const GitRepository& git, const ObjectId& id, uint64_t& size) {
  const git_oid oid = toGitOid(id.data());
  size_t found = 0;
  git_object_t type = GIT_OBJECT_INVALID;
  const int result = git.lib->odb_read_header(&found, &type, git.odb.get(), &oid);
  size = found;
  if (Status status = gitStatus(*git.lib, result, "git_odb_read_header", toHex(id.data(), id.size())); !status.ok()) return status;
  return type == GIT_OBJECT_BLOB ? Status{} : fail(ENOENT, "git_odb_read_header", toHex(id.data(), id.size()));
}

Status smudgeToFile(const GitRepository& git, const GitRepository* view, const ObjectId& id, const std::string& path,
                    const std::string& file) {
  uint64_t size = 0;
  if (Status status = blobSize(git, id, size); !status.ok()) return status;
  const Fd to = openRetrying(AT_FDCWD, file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, 0600);
  if (!to.isOpen()) return failErrno("open", file);
  const Status status = write(git, view, id, path, to, file);
  if (!status.ok()) ::unlink(file.c_str());
  return status;
}

Status cleanedId(const GitRepository& view, const std::string& path, Bytes bytes, ObjectId& id) {
  return convertInto(view, path, bytes, Direction::kClean, [&](Bytes stored) {
    id = blobId(stored);
    return Status{};
  });
}

Status cleanedId(const GitRepository& view, const std::string& path, int file, ObjectId& id) {
  struct stat found{};
  std::string bytes;
  if (::fstat(file, &found) != 0) return failErrno("fstat", path);
  if (::lseek(file, 0, SEEK_SET) != 0) return failErrno("lseek", path);
  if (Status status = readAll(file, static_cast<size_t>(found.st_size), bytes, "read", path); !status.ok()) return status;
  return cleanedId(view, path, bytesOf(bytes), id);
}

}  // namespace gates
