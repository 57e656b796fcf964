#include <algorithm>

#include "args.h"
#include "cache_tree.h"
#include "exports.h"
#include "index_diff.h"
#include "index_write.h"
#include "parsed_index.h"

namespace gates::js {

namespace {

Napi::Value summarize(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  SharedIndex parsed;
  if (!readIndex(info[0], "index", parsed)) return env.Undefined();
  const Index& index = *parsed;
  Napi::Array extensions = Napi::Array::New(env, index.extensions.size());
  for (uint32_t i = 0; i < index.extensions.size(); i++) extensions.Set(i, latin1(env, index.extensions[i].name()));
  Napi::Object summary = Napi::Object::New(env);
  summary.Set("version", index.version);
  summary.Set("count", static_cast<double>(index.entries.size()));
  summary.Set("extensions", extensions);
  summary.Set("checksum", oid(env, index.checksum.data()));
  const std::optional<Sha1Digest> tree = cachedTree(index);
  summary.Set("tree", tree ? oid(env, tree->data()) : env.Undefined());
  summary.Set("needsPlumbing", index.needsPlumbing());
  return summary;
}

Napi::Value entryObject(Napi::Env env, const IndexEntry& entry) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("path", latin1(env, entry.path));
  object.Set("stage", entry.stage());
  object.Set("mode", entry.mode());
  object.Set("oid", oid(env, entry.oid()));
  object.Set("assumeValid", entry.assumeValid());
  object.Set("skipWorktree", entry.skipWorktree());
  object.Set("intentToAdd", entry.intentToAdd());
  return object;
}

/** The entries of these paths, in index order. */
std::vector<size_t> entriesOf(const Index& index, const std::vector<std::string>& paths) {
  std::vector<size_t> found;
  for (const std::string& path : paths) {
    for (size_t i = index.lowerBound(path); i < index.entries.size() && index.entries[i].path == path; i++) found.push_back(i);
  }
  std::sort(found.begin(), found.end());
  found.erase(std::unique(found.begin(), found.end()), found.end());
  return found;
}

bool readRepoPaths(Napi::Value value, const char* name, std::vector<std::string>& paths) {
  return readArray(value, name, [&](Napi::Value each, const char*) {
    paths.emplace_back();
    return readRepoPath(each, name, paths.back());
  });
}

Napi::Value listEntries(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Bytes bytes;
  std::vector<std::string> paths;
  if (!read(info[0], "index", bytes)) return env.Undefined();
  if (!ifGiven(info[1], [&](Napi::Value value) { return readRepoPaths(value, "paths", paths); })) return env.Undefined();
  const bool isAll = info[1].IsUndefined();
  if (!isAll && paths.empty()) return Napi::Array::New(env);
  SharedIndex parsed;
  if (!readWholeIndex(info[0], "index", parsed)) return env.Undefined();
  const Index& index = *parsed;

  const std::vector<size_t> wanted = isAll ? std::vector<size_t>() : entriesOf(index, paths);
  const size_t count = isAll ? index.entries.size() : wanted.size();
  Napi::Array entries = Napi::Array::New(env, count);
  for (size_t i = 0; i < count; i++) {
    const Napi::HandleScope scope(env);
    entries.Set(static_cast<uint32_t>(i), entryObject(env, index.entries[isAll ? i : wanted[i]]));
  }
  return entries;
}

Napi::Value diff(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  SharedIndex before;
  SharedIndex after;
  if (!readWholeIndex(info[0], "before", before) || !readWholeIndex(info[1], "after", after)) return env.Undefined();
  const std::vector<std::string_view> changed = diffIndexes(*before, *after);
  Napi::Array paths = Napi::Array::New(env, changed.size());
  for (uint32_t i = 0; i < changed.size(); i++) paths.Set(i, latin1(env, changed[i]));
  return paths;
}

bool readEntry(Napi::Value value, NewEntry& entry) {
  Napi::Object object;
  uint32_t stage = 0;
  return readObject(value, "set", object) && readRepoPath(object.Get("path"), "path", entry.path) &&
         read(object.Get("stage"), "stage", stage) && (entry.stage = stage, true) &&
         read(object.Get("mode"), "mode", entry.mode) && readOid(object.Get("oid"), "oid", entry.oid.data()) &&
         read(object.Get("assumeValid"), "assumeValid", entry.assumeValid) &&
         read(object.Get("skipWorktree"), "skipWorktree", entry.skipWorktree) &&
         read(object.Get("intentToAdd"), "intentToAdd", entry.intentToAdd);
}

/** What prepareIndex and commitIndex both are given. */
struct Change {
  IndexPaths paths;
  std::optional<Bytes> read;
};

bool readChange(const Napi::Object& object, Change& change) {
  return readAbsolutePath(object.Get("indexPath"), "indexPath", change.paths.index) &&
         readAbsolutePath(object.Get("tempPath"), "tempPath", change.paths.temp) &&
         ifGiven(object.Get("index"), [&](Napi::Value value) { return read(value, "index", change.read.emplace()); });
}

Napi::Value fileId(Napi::Env env, const struct stat& status) {
  Napi::Object id = Napi::Object::New(env);
  id.Set("ino", digits(env, static_cast<uint64_t>(status.st_ino)));
  id.Set("dev", digits(env, static_cast<uint64_t>(status.st_dev)));
  return id;
}

Napi::Value prepare(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Napi::Object object;
  Change change;
  std::vector<NewEntry> set;
  std::vector<std::string> remove;
  const auto readSet = [&](Napi::Value value, const char*) { return readEntry(value, set.emplace_back()); };
  const bool isRead = readObject(info[0], "change", object) && readChange(object, change) &&
                      readArray(object.Get("set"), "set", readSet) && readRepoPaths(object.Get("remove"), "remove", remove);
  if (!isRead) return env.Undefined();
  struct stat prepared{};
  const Status status = prepareIndex(change.paths, change.read, std::move(set), std::move(remove), prepared);
  return status.ok() ? fileId(env, prepared) : raise(env, status);
}

Napi::Value commit(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Napi::Object object;
  Change change;
  if (!readObject(info[0], "commit", object) || !readChange(object, change)) return env.Undefined();
  IndexCommit result = IndexCommit::kMoved;
  if (const Status status = commitIndex(change.paths, change.read, result); !status.ok()) return raise(env, status);
  constexpr const char* kNames[] = {"written", "held", "moved"};
  return Napi::String::New(env, kNames[static_cast<size_t>(result)]);
}

Napi::Value releaseLock(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Napi::Object object;
  std::string path;
  uint64_t ino = 0;
  uint64_t dev = 0;
  const bool isRead = readObject(info[0], "lock", object) && readAbsolutePath(object.Get("indexPath"), "indexPath", path) &&
                      readDigits(object.Get("ino"), "ino", ino) && readDigits(object.Get("dev"), "dev", dev);
  if (!isRead) return env.Undefined();
  bool released = false;
  const Status status = releaseStaleLock(path, static_cast<ino_t>(ino), static_cast<dev_t>(dev), released);
  return status.ok() ? Napi::Boolean::New(env, released) : raise(env, status);
}

}  // namespace

void exportIndex(Napi::Env env, Napi::Object& exports) {
  add(env, exports, "parseIndex", summarize);
  add(env, exports, "indexEntries", listEntries);
  add(env, exports, "diffIndexes", diff);
  add(env, exports, "prepareIndex", prepare);
  add(env, exports, "commitIndex", commit);
  add(env, exports, "releaseStaleLock", releaseLock);
}

}  // namespace gates::js
