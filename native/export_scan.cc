#include "args.h"
#include "compare_tree.h"
#include "exports.h"
#include "scan.h"

namespace gates::js {

namespace {

Napi::Value scanRow(Napi::Env env, std::string_view path, const Row& found) {
  Napi::Object object = Napi::Object::New(env);
  object.Set("path", latin1(env, path));
  object.Set("kind", kindName(found.pathKind()));
  object.Set("row", row(env, found));
  return object;
}

/** Arguments of both scans, the index parsed. */
struct ScanCall {
  Napi::Object object;
  ScanOptions options;
  Bytes indexBytes;
  Index index;
};

/** @returns false with an exception pending */
bool readScanCall(const Napi::CallbackInfo& info, ScanCall& call) {
  uint32_t threads = 0;
  const bool isRead = readObject(info[0], "options", call.object) &&
                      readAbsolutePath(call.object.Get("root"), "root", call.options.root) &&
                      read(call.object.Get("index"), "index", call.indexBytes) &&
                      ifGiven(call.object.Get("threads"), [&](Napi::Value value) { return read(value, "threads", threads); });
  if (!isRead) return false;
  call.options.threads = threads;
  const Status status = parseWholeIndex(call.indexBytes, call.index);
  if (!status.ok()) raise(info.Env(), status);
  return status.ok();
}

Napi::Value pin(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  ScanCall call;
  if (!readScanCall(info, call)) return env.Undefined();
  const Napi::Value written = call.object.Get("indexMtimeNs");
  if (!written.IsBigInt()) return typeError(env, "indexMtimeNs", "a bigint"), env.Undefined();
  bool lossless = false;
  const int64_t indexMtimeNs = written.As<Napi::BigInt>().Int64Value(&lossless);
  ScanResult result;
  if (const Status status = scanTree(call.index, call.options, result); !status.ok()) return raise(env, status);

  Napi::Array unsure = Napi::Array::New(env);
  Napi::Array missing = Napi::Array::New(env);
  Napi::Array odd = Napi::Array::New(env);
  for (size_t i = 0; i < result.rows.size(); i++) {
    const Row& found = result.rows[i];
    const size_t first = result.firsts[i];
    if ((found.flags & kRowOutside) != 0 || isProvenByIndex(call.index, first, found, indexMtimeNs)) continue;
    const Napi::HandleScope scope(env);
    const std::string_view path = call.index.entries[first].path;
    if (found.pathKind() == PathKind::kAbsent) missing.Set(missing.Length(), latin1(env, path));
    if (found.isFileOrLink()) unsure.Set(unsure.Length(), latin1(env, path));
    if (found.pathKind() != PathKind::kAbsent && !found.isFileOrLink()) odd.Set(odd.Length(), scanRow(env, path, found));
  }
  Napi::Object pinned = Napi::Object::New(env);
  pinned.Set("table", bytes(env, encodeTable(call.index, result.clock, result.rows)));
  pinned.Set("unsure", unsure);
  pinned.Set("missing", missing);
  pinned.Set("odd", odd);
  return pinned;
}

Napi::Value scan(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  ScanCall call;
  Bytes table;
  if (!readScanCall(info, call) || !read(call.object.Get("table"), "table", table)) return env.Undefined();
  PinnedTree pinned;
  pinned.root = call.options.root;
  pinned.index = call.indexBytes;
  pinned.table = table;
  pinned.threads = call.options.threads;
  std::vector<Difference> found;
  if (const Status status = compareTree(pinned, found); !status.ok()) return raise(env, status);

  Napi::Array changed = Napi::Array::New(env, found.size());
  for (size_t i = 0; i < found.size(); i++) {
    const Napi::HandleScope scope(env);
    changed.Set(static_cast<uint32_t>(i), scanRow(env, found[i].path, found[i].row));
  }
  return changed;
}

Napi::Value patch(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Bytes table;
  Bytes indexBytes;
  std::vector<std::pair<std::string, Row>> rows;
  const auto readPatch = [&](Napi::Value value, const char* name) {
    Napi::Object object;
    auto& [path, row] = rows.emplace_back();
    return readObject(value, name, object) && readRepoPath(object.Get("path"), "path", path) &&
           readRow(object.Get("row"), "row", row);
  };
  const bool isRead = read(info[0], "table", table) && read(info[1], "index", indexBytes) && readArray(info[2], "rows", readPatch);
  if (!isRead) return env.Undefined();
  if (rows.empty()) return info[0];
  Index index;
  if (const Status status = parseWholeIndex(indexBytes, index); !status.ok()) return raise(env, status);
  std::string patched(table.view());
  const Status status = patchTable(patched, index, rows);
  return status.ok() ? bytes(env, patched) : raise(env, status);
}

Napi::Value carry(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Bytes table;
  Bytes indexBytes;
  Bytes nextBytes;
  const bool isRead =
      read(info[0], "table", table) && read(info[1], "index", indexBytes) && read(info[2], "next", nextBytes);
  if (!isRead) return env.Undefined();
  Index index;
  if (const Status status = parseWholeIndex(indexBytes, index); !status.ok()) return raise(env, status);
  Index next;
  if (const Status status = parseWholeIndex(nextBytes, next); !status.ok()) return raise(env, status);
  std::string carried;
  const Status status = carryTable(table, index, next, carried);
  return status.ok() ? bytes(env, carried) : raise(env, status);
}

}  // namespace

void exportScan(Napi::Env env, Napi::Object& exports) {
  add(env, exports, "pinTable", pin);
  add(env, exports, "scan", scan);
  add(env, exports, "patchTable", patch);
  add(env, exports, "carryTable", carry);
}

}  // namespace gates::js
