#include "args.h"
#include "exports.h"
#include "git_state.h"
#include "large_blob.h"

namespace gates::js {

namespace {

Napi::Value smudge(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GitRepository* git = readGit(info[0]);
  std::string path;
  Bytes given;
  if (git == nullptr || !readRepoPath(info[1], "path", path) || !read(info[2], "bytes", given)) return env.Undefined();
  std::string converted;
  const auto take = [&](Bytes made) {
    converted.append(made.view());
    return Status{};
  };
  const Status status = convertInto(*git, path, given, Direction::kSmudge, take);
  return status.ok() ? bytes(env, converted) : raise(env, status);
}

Napi::Value sizeOfBlob(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GitRepository* git = readGit(info[0]);
  ObjectId id{};
  uint64_t size = 0;
  if (git == nullptr || !readOid(info[1], "oid", id.data())) return env.Undefined();
  const Status status = blobSize(*git, id, size);
  return ifFound(env, status, [&]() -> Napi::Value { return Napi::Number::New(env, static_cast<double>(size)); });
}

Napi::Value smudgeToFile(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GitRepository* git = readGit(info[0]);
  const bool hasView = !info[1].IsUndefined();
  const GitRepository* view = git != nullptr && hasView ? readGit(info[1]) : nullptr;
  ObjectId id{};
  std::string path;
  std::string file;
  if (git == nullptr || (hasView && view == nullptr) || !readOid(info[2], "oid", id.data()) || !readRepoPath(info[3], "path", path) ||
      !readAbsolutePath(info[4], "file", file)) {
    return env.Undefined();
  }
  const Status status = smudgeToFile(*git, view, id, path, file);
  return status.ok() ? env.Undefined() : raise(env, status);
}

Napi::Value mayClean(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GitRepository* view = readGit(info[0]);
  std::string path;
  bool may = false;
  if (view == nullptr || !readRepoPath(info[1], "path", path)) return env.Undefined();
  const Status status = mayConvert(*view, path, Direction::kClean, may);
  return status.ok() ? Napi::Boolean::New(env, may) : raise(env, status);
}

Napi::Value cleanedIdOf(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GitRepository* view = readGit(info[0]);
  std::string path;
  uint32_t file = 0;
  Bytes bytes;
  ObjectId id{};
  const bool isFile = info[2].IsNumber();
  const bool isRead = view != nullptr && readRepoPath(info[1], "path", path) &&
                      (isFile ? read(info[2], "content", file) : read(info[2], "content", bytes));
  if (!isRead) return env.Undefined();
  const Status status = isFile ? cleanedId(*view, path, static_cast<int>(file), id) : cleanedId(*view, path, bytes, id);
  return status.ok() ? oid(env, id.data()) : raise(env, status);
}

Napi::Value attributeValue(Napi::Env env, const AttributeValue& value) {
  switch (value.kind) {
    case AttributeValue::Kind::kTrue:
      return Napi::Boolean::New(env, true);
    case AttributeValue::Kind::kFalse:
      return Napi::Boolean::New(env, false);
    case AttributeValue::Kind::kText:
      return Napi::String::New(env, value.text);
    default:
      return env.Undefined();
  }
}

Napi::Value attributes(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GitRepository* git = readGit(info[0]);
  std::string path;
  std::vector<std::string> names;
  const auto readName = [&](Napi::Value value, const char* name) { return readText(value, name, names.emplace_back()); };
  if (git == nullptr || !readRepoPath(info[1], "path", path) || !readArray(info[2], "names", readName)) {
    return env.Undefined();
  }
  std::vector<AttributeValue> values;
  if (const Status status = readAttributes(*git, path, names, values); !status.ok()) return raise(env, status);
  Napi::Array result = Napi::Array::New(env, values.size());
  for (uint32_t i = 0; i < values.size(); i++) result.Set(i, attributeValue(env, values[i]));
  return result;
}

}  // namespace

void exportConvert(Napi::Env env, Napi::Object& exports) {
  add(env, exports, "smudge", smudge);
  add(env, exports, "mayClean", mayClean);
  add(env, exports, "cleanedId", cleanedIdOf);
  add(env, exports, "blobSize", sizeOfBlob);
  add(env, exports, "smudgeToFile", smudgeToFile);
  add(env, exports, "attributes", attributes);
}

}  // namespace gates::js
