#include <fcntl.h>

#include <memory>

#include "args.h"
#include "digest.h"
#include "exports.h"
#include "file_io.h"
#include "mapped_file.h"
#include "path_stat.h"
#include "read_file.h"
#include "replace_all.h"
#include "steps.h"

namespace gates::js {

namespace {

Napi::Value statPath(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::string root;
  std::string path;
  PathStat found;
  if (!readAbsolutePath(info[0], "root", root) || !readRepoPath(info[1], "path", path)) return env.Undefined();
  if (const Status status = statPath(root, path, found); !status.ok()) return raise(env, status);
  Napi::Object object = Napi::Object::New(env);
  object.Set("kind", kindName(found.row.pathKind()));
  object.Set("row", row(env, found.row));
  object.Set("size", static_cast<double>(found.row.size));
  object.Set("mode", found.row.mode);
  object.Set("mtimeNs", Napi::BigInt::New(env, found.row.mtimeNs));
  object.Set("ino", digits(env, found.row.ino));
  object.Set("nlink", static_cast<double>(found.nlink));
  return object;
}

Napi::Value readAt(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::string root;
  std::string path;
  FileContent content;
  if (!readAbsolutePath(info[0], "root", root) || !readRepoPath(info[1], "path", path)) return env.Undefined();
  if (const Status status = readFileAt(root, path, content); !status.ok()) return raise(env, status);
  if (content.kind == PathKind::kAbsent) return env.Undefined();
  Napi::Object object = Napi::Object::New(env);
  object.Set("kind", kindName(content.kind));
  object.Set("row", row(env, content.row));
  if (content.kind == PathKind::kLink) {
    object.Set("target", bytes(env, content.bytes));
    return object;
  }
  object.Set("bytes", bytes(env, content.bytes));
  object.Set("mode", content.row.mode);
  object.Set("nlink", static_cast<double>(content.nlink));
  return object;
}

Napi::Value openAt(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::string root;
  std::string path;
  OpenFile opened;
  if (!readAbsolutePath(info[0], "root", root) || !readRepoPath(info[1], "path", path)) return env.Undefined();
  if (const Status status = openFileAt(root, path, opened); !status.ok()) return raise(env, status);
  Napi::Object object = Napi::Object::New(env);
  object.Set("file", opened.file.release());
  object.Set("row", row(env, opened.row));
  object.Set("mode", opened.row.mode);
  object.Set("sizeBytes", static_cast<double>(opened.row.size));
  return object;
}

bool readDisplacement(const Napi::Object& object, Displacement& place) {
  return readAbsolutePath(object.Get("root"), "root", place.root) && readRepoPath(object.Get("path"), "path", place.path) &&
         readText(object.Get("tempName"), "tempName", place.tempName) &&
         readAbsolutePath(object.Get("keepPath"), "keepPath", place.keepPath) &&
         ifGiven(object.Get("expect"), [&](Napi::Value value) { return readRow(value, "expect", place.expect.emplace()); });
}

bool readContent(Napi::Value value, Replacement& replacement) {
  Napi::Object content;
  if (!readObject(value, "content", content)) return false;
  if (content.Has("source")) {
    replacement.from = Replacement::From::kFile;
    return readAbsolutePath(content.Get("source"), "source", replacement.source);
  }
  const bool isLink = content.Has("link");
  replacement.from = isLink ? Replacement::From::kLink : Replacement::From::kBytes;
  return read(content.Get(isLink ? "link" : "bytes"), isLink ? "link" : "bytes", replacement.bytes);
}

bool readMode(Napi::Value value, Replacement& replacement) {
  if (value.IsNumber()) {
    uint32_t bits = 0;
    if (!read(value, "mode", bits)) return false;
    replacement.mode = static_cast<mode_t>(bits & 07777);
    return true;
  }
  std::string name;
  if (!readText(value, "mode", name)) return false;
  replacement.createMode = name == "executable" ? 0777 : 0666;
  return name == "file" || name == "executable" || typeError(value.Env(), "mode", "a number, 'file' or 'executable'");
}

void setKept(Napi::Env env, Napi::Object& object, const Kept& kept) {
  const bool hasKept = kept.how != Kept::How::kNothing;
  const bool isLink = kept.kind == PathKind::kLink;
  const char* how = kept.how == Kept::How::kInode ? "inode" : "copy";
  object.Set("kept", hasKept ? Napi::String::New(env, how) : env.Undefined());
  object.Set("keptKind", hasKept ? Napi::String::New(env, kindName(kept.kind)) : env.Undefined());
  object.Set("nlink", static_cast<double>(kept.nlink));
  object.Set("linkTarget", hasKept && isLink ? bytes(env, kept.linkTarget) : env.Undefined());
}

bool readReplacement(Napi::Value value, Replacement& replacement) {
  Napi::Object object;
  const auto readCreate = [&](Napi::Value given) { return read(given, "createParents", replacement.createParents); };
  return readObject(value, "replacement", object) && readDisplacement(object, replacement.place) &&
         readContent(object.Get("content"), replacement) && readMode(object.Get("mode"), replacement) &&
         ifGiven(object.Get("createParents"), readCreate);
}

Napi::Value replacedObject(Napi::Env env, const Replaced& replaced) {
  Napi::Object result = Napi::Object::New(env);
  result.Set("created", replaced.created);
  result.Set("row", row(env, replaced.row));
  setKept(env, result, replaced.kept);
  return result;
}

Napi::Value replace(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Replacement replacement;
  if (!readReplacement(info[0], replacement)) return env.Undefined();
  Replaced replaced;
  const Status status = replaceAt(replacement, replaced);
  return status.ok() ? replacedObject(env, replaced) : raise(env, status);
}

Napi::Value replaceMany(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::vector<ReplaceJob> jobs;
  uint32_t budgetMs = 0;
  const auto readJob = [&](Napi::Value value, const char*) { return readReplacement(value, jobs.emplace_back().replacement); };
  if (!readArray(info[0], "replacements", readJob) || !read(info[1], "budgetMs", budgetMs)) return env.Undefined();
  replaceAll(jobs, std::chrono::steady_clock::now() + std::chrono::milliseconds(budgetMs));
  Napi::Array results = Napi::Array::New(env, jobs.size());
  for (uint32_t i = 0; i < jobs.size(); i++) {
    const Napi::HandleScope scope(env);
    const ReplaceJob& job = jobs[i];
    if (!job.isDone) continue;
    results.Set(i, job.status.ok() ? replacedObject(env, job.replaced) : errorOf(env, job.status).Value());
  }
  return results;
}

Napi::Value remove(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Napi::Object object;
  Displacement place;
  if (!readObject(info[0], "displacement", object) || !readDisplacement(object, place)) return env.Undefined();
  Kept kept;
  if (const Status status = removeAt(place, kept); !status.ok()) return raise(env, status);
  Napi::Object result = Napi::Object::New(env);
  setKept(env, result, kept);
  return result;
}

Napi::Value birthTime(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::string path;
  if (!readAbsolutePath(info[0], "path", path)) return env.Undefined();
  const std::optional<double> bornMs = birthTimeMs(path);
  return bornMs ? Napi::Number::New(env, *bornMs) : env.Undefined();
}

Napi::Value atStep(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::string name;
  uint32_t error = 0;
  if (!readText(info[0], "name", name)) return env.Undefined();
  if (info[1].IsNumber() && !read(info[1], "action", error)) return env.Undefined();
  const std::string word = info[1].IsString() ? info[1].As<Napi::String>().Utf8Value() : "";
  StepAction action = error != 0 ? StepAction::kFail : StepAction::kNone;
  if (word == "kill") action = StepAction::kKill;
  if (word == "stop") action = StepAction::kStop;
  armStep(name, action, static_cast<int>(error));
  return env.Undefined();
}

Napi::Value map(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::string path;
  if (!readAbsolutePath(info[0], "path", path)) return env.Undefined();
  const Fd file = openRetrying(AT_FDCWD, path.c_str(), O_RDONLY | O_NONBLOCK);
  if (!file.isOpen()) return errno == ENOENT ? env.Undefined() : raise(env, failErrno("open", path));
  auto mapped = std::make_unique<MappedFile>();
  if (const Status status = mapped->map(file.get(), path); !status.ok()) return raise(env, status);
  if (mapped->bytes().size == 0) return Napi::Buffer<uint8_t>::New(env, 0);
  MappedFile* own = mapped.release();
  return Napi::Buffer<uint8_t>::New(env, own->data(), own->bytes().size, [own](Napi::Env, uint8_t*) { delete own; });
}

Napi::Value readWhole(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::string path;
  LargeBytes content;
  if (!readAbsolutePath(info[0], "path", path)) return env.Undefined();
  const Status status = readFile(path, content);
  return ifFound(env, status, [&] { return bytes(env, std::move(content)); });
}

Napi::Value digestBytes(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::string name;
  Bytes content;
  std::string found;
  if (!readText(info[0], "name", name) || !read(info[1], "content", content)) return env.Undefined();
  const Status status = digest(name.c_str(), content, found);
  return status.ok() ? bytes(env, found) : raise(env, status);
}

}  // namespace

void exportFiles(Napi::Env env, Napi::Object& exports) {
  add(env, exports, "statRow", statPath);
  add(env, exports, "readFileAt", readAt);
  add(env, exports, "openFileAt", openAt);
  add(env, exports, "replaceAt", replace);
  add(env, exports, "replaceAll", replaceMany);
  add(env, exports, "removeAt", remove);
  add(env, exports, "birthTimeMs", birthTime);
  add(env, exports, "mapFile", map);
  add(env, exports, "readFile", readWhole);
  add(env, exports, "digest", digestBytes);
  add(env, exports, "atStep", atStep);
}

}  // namespace gates::js
