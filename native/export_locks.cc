#include "args.h"
#include "exports.h"
#include "lock.h"

namespace gates::js {

namespace {

Napi::Value take(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::string path;
  bool isMade = false;
  const auto readOptions = [&](Napi::Value value) {
    Napi::Object options;
    return readObject(value, "options", options) &&
           ifGiven(options.Get("create"), [&](Napi::Value create) { return read(create, "create", isMade); });
  };
  if (!readAbsolutePath(info[0], "path", path) || !ifGiven(info[1], readOptions)) return env.Undefined();
  Fd fd;
  struct stat locked{};
  if (const Status status = lockFile(path, isMade, fd, locked); !status.ok()) return raise(env, status);
  if (!fd.isOpen()) return Napi::String::New(env, "held");
  Napi::Object lock = Napi::Object::New(env);
  lock.Set("fd", fd.release());
  lock.Set("ino", digits(env, static_cast<uint64_t>(locked.st_ino)));
  lock.Set("dev", digits(env, static_cast<uint64_t>(locked.st_dev)));
  return lock;
}

Napi::Value release(const Napi::CallbackInfo& info) {
  uint32_t fd = 0;
  if (read(info[0], "fd", fd)) Fd(static_cast<int>(fd));
  return info.Env().Undefined();
}

Napi::Value holds(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  uint32_t fd = 0;
  std::string path;
  bool isHeld = false;
  if (!read(info[0], "fd", fd) || !readAbsolutePath(info[1], "path", path)) return env.Undefined();
  const Status status = lockHolds(static_cast<int>(fd), path, isHeld);
  return status.ok() ? Napi::Boolean::New(env, isHeld) : raise(env, status);
}

}  // namespace

void exportLocks(Napi::Env env, Napi::Object& exports) {
  add(env, exports, "lockFile", take);
  add(env, exports, "unlock", release);
  add(env, exports, "lockHolds", holds);
}

}  // namespace gates::js
