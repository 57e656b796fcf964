#pragma once

#include <functional>
#include <vector>

#include "libgit2.h"

namespace gates {

enum class Direction { kSmudge, kClean };

/**
 * Converts bytes as git does at the path: line endings and ident. Filter drivers and `working-tree-encoding` are not
 * libgit2's and are left out.
 *
 * @param use takes the result in pieces, in order, each valid until it returns; cleaned content is one piece
 */
Status convertInto(const GitRepository& git, const std::string& path, Bytes bytes, Direction direction,
                   const std::function<Status(Bytes)>& use);

/** Whether `convertInto` may change any bytes at the path. */
Status mayConvert(const GitRepository& git, const std::string& path, Direction direction, bool& may);

/** An attribute's value; `text` only for kText. */
struct AttributeValue {
  enum class Kind { kUnspecified, kTrue, kFalse, kText };

  Kind kind = Kind::kUnspecified;
  std::string text;
};

/** Values in the order of the names, from the index alone (besides `info/attributes` and git's own files). */
Status readAttributes(const GitRepository& git, const std::string& path, const std::vector<std::string>& names,
                      std::vector<AttributeValue>& values);

}  // namespace gates
