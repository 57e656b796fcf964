#pragma once

#include <napi.h>

#include <cerrno>
#include <optional>
#include <string>

#include "bytes.h"
#include "large_memory.h"
#include "stat_row.h"
#include "status.h"

namespace gates::js {

// Readers take a value and the argument's name. A value of another type becomes a TypeError that is pending in JavaScript,
// and the reader returns false: the caller then returns at once.

/** Any Uint8Array, in place: valid until the call returns. */
bool read(Napi::Value value, const char* name, Bytes& bytes);
bool read(Napi::Value value, const char* name, bool& flag);
bool read(Napi::Value value, const char* name, uint32_t& number);

/** 48 bytes. */
bool readRow(Napi::Value value, const char* name, Row& row);
/** A string of one character per byte. */
bool readRepoPath(Napi::Value value, const char* name, std::string& path);
/** A UTF-8 string or the bytes themselves, without a NUL byte. */
bool readAbsolutePath(Napi::Value value, const char* name, std::string& path);
bool readText(Napi::Value value, const char* name, std::string& text);
/** 40 hex digits. */
bool readOid(Napi::Value value, const char* name, uint8_t* oid);
/** Decimal digits. */
bool readDigits(Napi::Value value, const char* name, uint64_t& number);
bool readObject(Napi::Value value, const char* name, Napi::Object& object);

/** Calls `each(value, name)` for every element until it returns false. */
template <typename Each>
bool readArray(Napi::Value value, const char* name, Each each);

/** Runs a reader unless the value is undefined. */
template <typename Reader>
bool ifGiven(Napi::Value value, Reader reader) {
  return value.IsUndefined() || reader(value);
}

bool typeError(Napi::Env env, const char* name, const char* wanted);

/** What a status says: `code`, `syscall`, `path`. */
Napi::Error errorOf(Napi::Env env, const Status& status);

/** Throws it. @returns undefined, for the caller to return */
Napi::Value raise(Napi::Env env, const Status& status);

/** What `make` gives; undefined where the status is ENOENT, as for an object that the database has not. */
template <typename Make>
Napi::Value ifFound(Napi::Env env, const Status& status, Make make) {
  if (status.code == ENOENT) return env.Undefined();
  return status.ok() ? make() : raise(env, status);
}

Napi::Value bytes(Napi::Env env, std::string_view content);
/** Without a copy. */
Napi::Value bytes(Napi::Env env, LargeBytes&& content);
Napi::Value row(Napi::Env env, const Row& row);
Napi::Value latin1(Napi::Env env, std::string_view text);
Napi::Value oid(Napi::Env env, const uint8_t* oid);
Napi::Value digits(Napi::Env env, uint64_t number);
const char* kindName(PathKind kind);

template <typename Each>
bool readArray(Napi::Value value, const char* name, Each each) {
  if (!value.IsArray()) return typeError(value.Env(), name, "an array");
  const auto array = value.As<Napi::Array>();
  for (uint32_t i = 0; i < array.Length(); i++) {
    const Napi::HandleScope scope(value.Env());
    if (!each(array.Get(i), name)) return false;
  }
  return true;
}

}  // namespace gates::js
