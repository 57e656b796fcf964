#pragma once

#include <napi.h>

#include <map>
#include <memory>
#include <optional>

#include "libgit2.h"
#include "parsed_index.h"

namespace gates::js {

/** libgit2 and what is open in it, and the indexes that were parsed, as long as the addon lives. */
struct GitState {
  std::optional<LibGit2> lib;
  std::map<uint32_t, std::unique_ptr<GitRepository>> opened;
  uint32_t lastHandle = 0;
  ParsedIndexes indexes;
};

inline GitState& stateOf(Napi::Env env) { return *env.GetInstanceData<GitState>(); }

/** @returns nullptr before libgit2 was found */
inline const LibGit2* libgit2Of(Napi::Env env) {
  const auto& lib = stateOf(env).lib;
  return lib ? &*lib : nullptr;
}

/** @returns nothing with an exception pending when the handle is not open */
const GitRepository* readGit(Napi::Value handle);

}  // namespace gates::js
