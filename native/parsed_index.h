#pragma once

#include <napi.h>

#include <array>
#include <memory>

#include "index_file.h"

namespace gates::js {

using SharedIndex = std::shared_ptr<const Index>;

/**
 * The indexes in JavaScript's hands, each parsed once: a check asks for entries of the same two again and again. Their
 * bytes must not be written to.
 */
class ParsedIndexes {
 public:
  /** @returns as {@link parseIndex}; the index lives as long as whoever holds it */
  Status find(Napi::Uint8Array buffer, SharedIndex& index);

 private:
  struct Slot {
    Napi::Reference<Napi::Uint8Array> buffer;
    Bytes bytes;
    SharedIndex index;
  };

  /** The one that was asked for last goes first. */
  std::array<Slot, 2> slots_;
};

/** @returns false with an exception pending */
bool readIndex(Napi::Value value, const char* name, SharedIndex& index);
/** As readIndex; ENOTSUP for an index that needs the plumbing. */
bool readWholeIndex(Napi::Value value, const char* name, SharedIndex& index);

}  // namespace gates::js
