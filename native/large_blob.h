#pragma once

#include "filter.h"
#include "git_objects.h"

namespace gates {

/** Size of a blob without reading it. @returns ENOENT when it is not there or no blob */
Status blobSize(const GitRepository& git, const ObjectId& id, uint64_t& size);

/**
 * Writes a blob to a new file as git checks it out at the path. One that nothing converts goes through in pieces when it
 * has a file of its own in the database; out of a pack, and for conversion, it is read as a whole.
 *
 * @param view where the path's attributes come from; none leaves the blob as it is stored
 * @returns ENOENT when the database has no such blob, EEXIST when the file is there; then nothing is written
 */
Status smudgeToFile(const GitRepository& git, const GitRepository* view, const ObjectId& id, const std::string& path,
                    const std::string& file);

/** Id of the bytes as git would store them at the path. */
Status cleanedId(const GitRepository& view, const std::string& path, Bytes bytes, ObjectId& id);

/** Id of what an open file holds, from its start, as git would store it at the path. The file is read as a whole. */
Status cleanedId(const GitRepository& view, const std::string& path, int file, ObjectId& id);

}  // namespace gates
