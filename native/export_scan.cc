#include <sys/wait.h>

#include "args.h"
#include "compare_tree.h"
#include "exports.h"
#include "file_io.h"
#include "handed_scan.h"
#include "parsed_index.h"
#include "promised.h"
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

Napi::Value scanRows(Napi::Env env, const std::vector<Difference>& found) {
  Napi::Array changed = Napi::Array::New(env, found.size());
  for (size_t i = 0; i < found.size(); i++) {
    const Napi::HandleScope scope(env);
    changed.Set(static_cast<uint32_t>(i), scanRow(env, found[i].path, found[i].row));
  }
  return changed;
}

/** Arguments of both scans. */
bool readScan(Napi::Value value, Napi::Object& object, ScanOptions& options) {
  uint32_t threads = 0;
  const bool isRead = readObject(value, "options", object) && readAbsolutePath(object.Get("root"), "root", options.root) &&
                      ifGiven(object.Get("threads"), [&](Napi::Value given) { return read(given, "threads", threads); });
  options.threads = threads;
  return isRead;
}

struct Pinning {
  ScanOptions options;
  SharedIndex index;
  int64_t indexMtimeNs = 0;
  ScanResult scanned;
  LargeBytes table;
  /** Places among the scanned rows. */
  std::vector<size_t> unproven;

  Status run() {
    if (Status status = scanTree(*index, options, scanned); !status.ok()) return status;
    for (size_t i = 0; i < scanned.rows.size(); i++) {
      const Row& found = scanned.rows[i];
      if ((found.flags & kRowOutside) == 0 && !isProvenByIndex(*index, scanned.firsts[i], found, indexMtimeNs)) unproven.push_back(i);
    }
    table = encodeTable(*index, scanned.clock, scanned.rows);
    return table.data() == nullptr ? fail(ENOMEM, "table") : Status{};
  }

  Napi::Value result(Napi::Env env) {
    Napi::Array unsure = Napi::Array::New(env);
    Napi::Array missing = Napi::Array::New(env);
    Napi::Array odd = Napi::Array::New(env);
    for (const size_t i : unproven) {
      const Napi::HandleScope scope(env);
      const Row& found = scanned.rows[i];
      const std::string_view path = index->entries[scanned.firsts[i]].path;
      if (found.pathKind() == PathKind::kAbsent) missing.Set(missing.Length(), latin1(env, path));
      else if (found.isFileOrLink()) unsure.Set(unsure.Length(), latin1(env, path));
      else odd.Set(odd.Length(), scanRow(env, path, found));
    }
    Napi::Object pinned = Napi::Object::New(env);
    pinned.Set("table", bytes(env, std::move(table)));
    pinned.Set("unsure", unsure);
    pinned.Set("missing", missing);
    pinned.Set("odd", odd);
    return pinned;
  }
};

Napi::Value pin(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Napi::Object object;
  Pinning pinning;
  if (!readScan(info[0], object, pinning.options) || !readWholeIndex(object.Get("index"), "index", pinning.index)) return env.Undefined();
  const Napi::Value written = object.Get("indexMtimeNs");
  if (!written.IsBigInt()) return typeError(env, "indexMtimeNs", "a bigint"), env.Undefined();
  bool lossless = false;
  pinning.indexMtimeNs = written.As<Napi::BigInt>().Int64Value(&lossless);
  return Promised<Pinning>::start(object, std::move(pinning));
}

struct Comparing {
  PinnedTree pinned;
  std::vector<Difference> found;

  Status run() {
    TreeComparison comparison(std::move(pinned));
    const Status status = comparison.run();
    found = comparison.found();
    return status;
  }

  Napi::Value result(Napi::Env env) const { return scanRows(env, found); }
};

Napi::Value scan(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Napi::Object object;
  ScanOptions options;
  Comparing comparing;
  PinnedTree& pinned = comparing.pinned;
  const bool isRead = readScan(info[0], object, options) && read(object.Get("index"), "index", pinned.index) &&
                      read(object.Get("table"), "table", pinned.table);
  if (!isRead) return env.Undefined();
  pinned.root = std::move(options.root);
  pinned.threads = options.threads;
  return Promised<Comparing>::start(object, std::move(comparing));
}

/** A scan that the front handed over, as it arrives through a pipe. */
struct TakingOver {
  int pipe = -1;
  uint32_t scanner = 0;
  HandedScan handed;

  Status run() {
    const Fd end(pipe);
    std::string bytes;
    const Status status = readAll(end.get(), kChunk, bytes, "read", "scan");
    // It ends with its last byte, and nobody else waits for it.
    ::waitpid(static_cast<pid_t>(scanner), nullptr, 0);
    return status.ok() ? decodeScan(bytesOf(bytes), handed) : status;
  }

  Napi::Value result(Napi::Env env) const {
    Napi::Object object = Napi::Object::New(env);
    object.Set("root", Napi::String::New(env, handed.root));
    object.Set("index", Napi::String::New(env, handed.index));
    object.Set("table", Napi::String::New(env, handed.table));
    object.Set("patch", Napi::String::New(env, handed.patch));
    object.Set("rows", scanRows(env, handed.found));
    return object;
  }

 private:
  static constexpr size_t kChunk = size_t{1} << 16;
};

Napi::Value takeOver(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  uint32_t pipe = 0;
  TakingOver taking;
  if (!read(info[0], "pipe", pipe) || !read(info[1], "scanner", taking.scanner)) return env.Undefined();
  taking.pipe = static_cast<int>(pipe);
  return Promised<TakingOver>::start(Napi::Object::New(env), std::move(taking));
}

Napi::Value patch(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Bytes table;
  SharedIndex index;
  std::vector<std::pair<std::string, Row>> rows;
  const auto readPatch = [&](Napi::Value value, const char* name) {
    Napi::Object object;
    auto& [path, row] = rows.emplace_back();
    return readObject(value, name, object) && readRepoPath(object.Get("path"), "path", path) &&
           readRow(object.Get("row"), "row", row);
  };
  if (!read(info[0], "table", table) || !readArray(info[2], "rows", readPatch)) return env.Undefined();
  std::string patch;
  if (rows.empty()) return bytes(env, patch);
  if (!readWholeIndex(info[1], "index", index)) return env.Undefined();
  const Status status = encodePatch(table, *index, rows, patch);
  return status.ok() ? bytes(env, patch) : raise(env, status);
}

Napi::Value apply(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Bytes table;
  Bytes patch;
  if (!read(info[0], "table", table) || !read(info[1], "patch", patch)) return env.Undefined();
  const Status status = applyPatch(const_cast<uint8_t*>(table.data), table.size, patch);
  return status.ok() ? env.Undefined() : raise(env, status);
}

Napi::Value carry(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Bytes table;
  SharedIndex index;
  SharedIndex next;
  const bool isRead =
      read(info[0], "table", table) && readWholeIndex(info[1], "index", index) && readWholeIndex(info[2], "next", next);
  if (!isRead) return env.Undefined();
  LargeBytes carried;
  const Status status = carryTable(table, *index, *next, carried);
  return status.ok() ? bytes(env, std::move(carried)) : raise(env, status);
}

}  // namespace

void exportScan(Napi::Env env, Napi::Object& exports) {
  add(env, exports, "pinTable", pin);
  add(env, exports, "scan", scan);
  add(env, exports, "takeScan", takeOver);
  add(env, exports, "encodePatch", patch);
  add(env, exports, "applyPatch", apply);
  add(env, exports, "carryTable", carry);
}

}  // namespace gates::js
