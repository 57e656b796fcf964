#include "parsed_index.h"

#include <algorithm>
#include <utility>

#include "args.h"
#include "git_state.h"

namespace gates::js {

Status ParsedIndexes::find(Napi::Uint8Array buffer, SharedIndex& index) {
  const Bytes bytes{buffer.Data(), buffer.ByteLength()};
  const auto known = std::find_if(slots_.begin(), slots_.end(), [&](const Slot& slot) {
    return slot.index && slot.bytes.data == bytes.data && slot.bytes.size == bytes.size;
  });
  if (known == slots_.end()) {
    const auto parsed = std::make_shared<Index>();
    if (Status status = parseIndex(bytes, *parsed); !status.ok()) return status;
    Slot& oldest = slots_.back();
    oldest.buffer = Napi::Persistent(buffer);
    oldest.bytes = bytes;
    oldest.index = parsed;
  }
  std::rotate(slots_.begin(), known == slots_.end() ? slots_.end() - 1 : known, slots_.end());
  index = slots_.front().index;
  return {};
}

bool readIndex(Napi::Value value, const char* name, SharedIndex& index) {
  Bytes bytes;
  if (!read(value, name, bytes)) return false;
  const Status status = stateOf(value.Env()).indexes.find(value.As<Napi::Uint8Array>(), index);
  if (!status.ok()) raise(value.Env(), status);
  return status.ok();
}

bool readWholeIndex(Napi::Value value, const char* name, SharedIndex& index) {
  if (!readIndex(value, name, index)) return false;
  if (index->needsPlumbing()) raise(value.Env(), fail(ENOTSUP, "index"));
  return !index->needsPlumbing();
}

}  // namespace gates::js
