#pragma once

#include "tree_path.h"

namespace gates {

struct FileContent {
  PathKind kind = PathKind::kAbsent;
  /** The file's bytes, or where the link points. */
  std::string bytes;
  Row row;
  uint64_t nlink = 0;
};

/**
 * Reads a file or link of the tree while its stat data stands still; no link is followed.
 *
 * @returns ENOTDIR for an unreachable parent, EISDIR or kNotRegular for what cannot be read, EAGAIN when it changed
 *   during three readings; an absent path is no error
 */
Status readFileAt(const std::string& root, std::string_view path, FileContent& content);

/** A file of the tree that is open for reading, and its row at that moment. */
struct OpenFile {
  Fd file;
  Row row;
};

/**
 * Opens a file of the tree; no link is followed.
 *
 * @returns ENOENT, ENOTDIR, EISDIR, kNotRegular (a link among them); EAGAIN when it was replaced meanwhile
 */
Status openFileAt(const std::string& root, std::string_view path, OpenFile& opened);

/** Where a link points, whatever its length. */
Status readLink(int directory, const std::string& name, std::string& target);

/** Why a path that was looked at has no content: EISDIR, kNotRegular, EACCES; success for a file or link. */
Status requireFileOrLink(const Row& row, std::string_view path);

}  // namespace gates
