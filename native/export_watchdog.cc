#include "args.h"
#include "exports.h"
#include "watchdog.h"

namespace gates::js {

namespace {

Napi::Value start(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  uint32_t milliseconds = 0;
  if (!read(info[0], "milliseconds", milliseconds)) return env.Undefined();
  const Status status = startWatchdog(milliseconds, info[1].ToString().Utf8Value());
  return status.ok() ? env.Undefined() : raise(env, status);
}

Napi::Value stop(const Napi::CallbackInfo& info) {
  stopWatchdog();
  return info.Env().Undefined();
}

}  // namespace

void exportWatchdog(Napi::Env env, Napi::Object& exports) {
  add(env, exports, "startWatchdog", start);
  add(env, exports, "stopWatchdog", stop);
}

}  // namespace gates::js
