#include "args.h"
#include "configuration.h"
#include "exports.h"
#include "git_state.h"
#include "merge_text.h"
#include "tree_diff.h"

namespace gates::js {

const GitRepository* readGit(Napi::Value value) {
  uint32_t handle = 0;
  if (!read(value, "git", handle)) return nullptr;
  auto& opened = stateOf(value.Env()).opened;
  const auto found = opened.find(handle);
  if (found != opened.end()) return found->second.get();
  raise(value.Env(), fail(EBADF, "git"));
  return nullptr;
}

namespace {

Napi::Value hashBlob(const Napi::CallbackInfo& info) {
  Bytes bytes;
  if (!read(info[0], "bytes", bytes)) return info.Env().Undefined();
  return oid(info.Env(), blobId(bytes).data());
}

Napi::Value init(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::string binary;
  if (!readText(info[0], "nodegitBinary", binary)) return env.Undefined();
  std::optional<LibGit2>& lib = stateOf(env).lib;
  if (lib) return env.Undefined();
  LibGit2 found;
  if (const Status status = loadLibGit2(binary, found); !status.ok()) return raise(env, status);
  lib = found;
  return env.Undefined();
}

Napi::Value check(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::string gitDir;
  if (!readAbsolutePath(info[0], "gitDir", gitDir)) return env.Undefined();
  const LibGit2* lib = libgit2Of(env);
  const Status status = lib == nullptr ? fail(ENOSYS, "libgit2") : checkRepository(*lib, gitDir);
  return status.ok() ? env.Undefined() : raise(env, status);
}

Napi::Value open(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Napi::Object options;
  std::string gitDir;
  std::string indexPath;
  const auto readIndexPath = [&](Napi::Value value) { return readAbsolutePath(value, "indexPath", indexPath); };
  const bool isRead = readObject(info[0], "options", options) && readAbsolutePath(options.Get("gitDir"), "gitDir", gitDir) &&
                      ifGiven(options.Get("indexPath"), readIndexPath);
  if (!isRead) return env.Undefined();
  GitState& state = stateOf(env);
  if (!state.lib) return raise(env, fail(ENOSYS, "libgit2"));
  std::unique_ptr<GitRepository> opened;
  if (const Status status = openRepository(*state.lib, gitDir, indexPath, opened); !status.ok()) return raise(env, status);
  state.opened.emplace(++state.lastHandle, std::move(opened));
  return Napi::Number::New(env, state.lastHandle);
}

Napi::Value close(const Napi::CallbackInfo& info) {
  uint32_t handle = 0;
  if (read(info[0], "git", handle)) stateOf(info.Env()).opened.erase(handle);
  return info.Env().Undefined();
}

Napi::Value configuration(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GitRepository* git = readGit(info[0]);
  std::string keys;
  if (git == nullptr || !readText(info[1], "keys", keys)) return env.Undefined();
  Configuration values;
  if (const Status status = readConfiguration(*git, keys, values); !status.ok()) return raise(env, status);
  Napi::Array result = Napi::Array::New(env, values.size());
  for (uint32_t i = 0; i < values.size(); i++) {
    Napi::Array pair = Napi::Array::New(env, 2);
    pair.Set(0u, Napi::String::New(env, values[i].first));
    pair.Set(1u, Napi::String::New(env, values[i].second));
    result.Set(i, pair);
  }
  return result;
}

Napi::Value blobAt(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GitRepository* git = readGit(info[0]);
  ObjectId id{};
  std::string path;
  if (git == nullptr || !readOid(info[1], "commit", id.data()) || !readRepoPath(info[2], "path", path)) {
    return env.Undefined();
  }
  Commit commit;
  std::optional<TreeEntry> entry;
  Status status = readCommit(*git, id, commit);
  if (status.ok()) status = findInCommit(*git, commit, path, entry);
  if (!status.ok()) return raise(env, status);
  if (!entry || entry->isTree()) return env.Undefined();
  Napi::Object result = Napi::Object::New(env);
  result.Set("oid", oid(env, entry->id.data()));
  result.Set("mode", entry->mode);
  return result;
}

Napi::Value changedPaths(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GitRepository* git = readGit(info[0]);
  ObjectId from{};
  ObjectId to{};
  if (git == nullptr || !readOid(info[1], "from", from.data()) || !readOid(info[2], "to", to.data())) return env.Undefined();
  std::vector<std::string> changed;
  if (const Status status = diffCommits(*git, from, to, changed); !status.ok()) return raise(env, status);
  Napi::Array paths = Napi::Array::New(env, changed.size());
  for (uint32_t i = 0; i < changed.size(); i++) paths.Set(i, latin1(env, changed[i]));
  return paths;
}

Napi::Value readBlob(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GitRepository* git = readGit(info[0]);
  ObjectId id{};
  if (git == nullptr || !readOid(info[1], "oid", id.data())) return env.Undefined();
  std::string content;
  const Status status = readObject(*git, id, GIT_OBJECT_BLOB, content);
  return ifFound(env, status, [&] { return bytes(env, content); });
}

Napi::Value merge(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GitRepository* git = readGit(info[0]);
  Napi::Object contents;
  Bytes base;
  Bytes ours;
  Bytes theirs;
  const bool isRead = git != nullptr && readObject(info[1], "contents", contents) &&
                      read(contents.Get("base"), "base", base) && read(contents.Get("ours"), "ours", ours) &&
                      read(contents.Get("theirs"), "theirs", theirs);
  if (!isRead) return env.Undefined();
  std::optional<std::string> merged;
  if (const Status status = mergeText(*git->lib, base, ours, theirs, merged); !status.ok()) return raise(env, status);
  return merged ? bytes(env, *merged) : env.Undefined();
}

Napi::Value objectInfo(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GitRepository* git = readGit(info[0]);
  ObjectId id{};
  if (git == nullptr || !readOid(info[1], "oid", id.data())) return env.Undefined();
  const ObjectPlace place = placeOf(*git, id);
  Napi::Object result = Napi::Object::New(env);
  result.Set("exists", place.exists);
  result.Set("loosePath", place.loosePath.empty() ? env.Undefined() : Napi::String::New(env, place.loosePath));
  return result;
}

}  // namespace

void exportGit(Napi::Env env, Napi::Object& exports) {
  add(env, exports, "hashBlob", hashBlob);
  add(env, exports, "initGit", init);
  add(env, exports, "checkGit", check);
  add(env, exports, "openGit", open);
  add(env, exports, "closeGit", close);
  add(env, exports, "configuration", configuration);
  add(env, exports, "blobAt", blobAt);
  add(env, exports, "changedPaths", changedPaths);
  add(env, exports, "readBlob", readBlob);
  add(env, exports, "mergeText", merge);
  add(env, exports, "objectInfo", objectInfo);
}

}  // namespace gates::js
