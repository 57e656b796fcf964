#pragma once

#include <napi.h>

namespace gates::js {

/** Each adds its functions to the addon; their types are in `src/native/binding.ts`. */
void exportIndex(Napi::Env env, Napi::Object& exports);
void exportScan(Napi::Env env, Napi::Object& exports);
void exportFiles(Napi::Env env, Napi::Object& exports);
void exportLocks(Napi::Env env, Napi::Object& exports);
void exportGit(Napi::Env env, Napi::Object& exports);
void exportConvert(Napi::Env env, Napi::Object& exports);
void exportHistory(Napi::Env env, Napi::Object& exports);
void exportReplay(Napi::Env env, Napi::Object& exports);
void exportWatchdog(Napi::Env env, Napi::Object& exports);

template <typename Function>
void add(Napi::Env env, Napi::Object& exports, const char* name, Function function) {
  exports.Set(name, Napi::Function::New(env, function, name));
}

}  // namespace gates::js
