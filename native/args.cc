#include "args.h"

#include <uv.h>

#include "sha1.h"
#include "stat_table.h"

namespace gates::js {

namespace {

std::string codeName(int code) {
  switch (code) {
    case kBadIndex:
      return "EBADINDEX";
    case kBadTable:
      return "EBADTABLE";
    case kNotRegular:
      return "ENOTREG";
    case kGitFailed:
      return "EGIT";
    // libuv has no names for these.
    case ESTALE:
      return "ESTALE";
    case EDQUOT:
      return "EDQUOT";
    case ENOLCK:
      return "ENOLCK";
    default:
      return uv_err_name(uv_translate_sys_error(code));
  }
}

std::string reason(const Status& status) {
  if (!status.detail.empty()) return status.detail;
  switch (status.code) {
    case kBadTable:
      return "not a table or row of this index";
    case kNotRegular:
      return "neither a file nor a link";
    default:
      return std::strerror(status.code);
  }
}

}  // namespace

bool typeError(Napi::Env env, const char* name, const char* wanted) {
  Napi::TypeError::New(env, std::string(name) + " must be " + wanted).ThrowAsJavaScriptException();
  return false;
}

bool read(Napi::Value value, const char* name, Bytes& bytes) {
  if (!value.IsTypedArray() || value.As<Napi::TypedArray>().TypedArrayType() != napi_uint8_array) {
    return typeError(value.Env(), name, "a Buffer");
  }
  const auto array = value.As<Napi::Uint8Array>();
  bytes = {array.Data(), array.ByteLength()};
  return true;
}

bool read(Napi::Value value, const char* name, bool& flag) {
  if (!value.IsBoolean()) return typeError(value.Env(), name, "a boolean");
  flag = value.As<Napi::Boolean>().Value();
  return true;
}

bool read(Napi::Value value, const char* name, uint32_t& number) {
  const double given = value.IsNumber() ? value.As<Napi::Number>().DoubleValue() : -1;
  if (!(given >= 0 && given <= 0xffffffff)) return typeError(value.Env(), name, "a whole number of 32 bits");
  number = static_cast<uint32_t>(given);
  if (number != given) return typeError(value.Env(), name, "a whole number of 32 bits");
  return true;
}

bool readRow(Napi::Value value, const char* name, Row& row) {
  Bytes bytes;
  if (!read(value, name, bytes)) return false;
  return decodeRow(bytes, row).ok() || typeError(value.Env(), name, "a row of 48 bytes");
}

bool readRepoPath(Napi::Value value, const char* name, std::string& path) {
  if (!value.IsString()) return typeError(value.Env(), name, "a string");
  const std::u16string wide = value.As<Napi::String>().Utf16Value();
  path.clear();
  path.reserve(wide.size());
  for (const char16_t unit : wide) {
    if (unit > 0xff) return typeError(value.Env(), name, "a string of one character per byte");
    path.push_back(static_cast<char>(unit));
  }
  return true;
}

bool readAbsolutePath(Napi::Value value, const char* name, std::string& path) {
  Bytes bytes;
  if (value.IsString()) path = value.As<Napi::String>().Utf8Value();
  if (!value.IsString() && !read(value, name, bytes)) return false;
  if (!value.IsString()) path = bytes.view();
  const bool isUsable = !path.empty() && path.find('\0') == std::string::npos;
  return isUsable || typeError(value.Env(), name, "a path without NUL bytes");
}

bool readText(Napi::Value value, const char* name, std::string& text) {
  if (!value.IsString()) return typeError(value.Env(), name, "a string");
  text = value.As<Napi::String>().Utf8Value();
  return text.find('\0') == std::string::npos || typeError(value.Env(), name, "a string without NUL characters");
}

bool readOid(Napi::Value value, const char* name, uint8_t* oid) {
  const bool isHex = value.IsString() && fromHex(value.As<Napi::String>().Utf8Value(), oid, kSha1Size);
  return isHex || typeError(value.Env(), name, "40 hex digits");
}

bool readDigits(Napi::Value value, const char* name, uint64_t& number) {
  const std::string text = value.IsString() ? value.As<Napi::String>().Utf8Value() : "";
  const bool isDigits = !text.empty() && text.size() <= 20 && text.find_first_not_of("0123456789") == std::string::npos;
  if (!isDigits) return typeError(value.Env(), name, "decimal digits");
  number = std::strtoull(text.c_str(), nullptr, 10);
  return true;
}

bool readObject(Napi::Value value, const char* name, Napi::Object& object) {
  if (!value.IsObject()) return typeError(value.Env(), name, "an object");
  object = value.As<Napi::Object>();
  return true;
}

Napi::Error errorOf(Napi::Env env, const Status& status) {
  const std::string code = codeName(status.code);
  std::string message = code + ": " + reason(status) + ", " + status.step;
  if (!status.path.empty()) message += " " + status.path;
  Napi::Error error = Napi::Error::New(env, message);
  error.Set("code", Napi::String::New(env, code));
  error.Set("syscall", Napi::String::New(env, status.step));
  if (!status.path.empty()) error.Set("path", latin1(env, status.path));
  return error;
}

Napi::Value raise(Napi::Env env, const Status& status) {
  errorOf(env, status).ThrowAsJavaScriptException();
  return env.Undefined();
}

Napi::Value bytes(Napi::Env env, std::string_view content) {
  return Napi::Buffer<char>::Copy(env, content.data(), content.size());
}

Napi::Value bytes(Napi::Env env, LargeBytes&& content) {
  if (content.data() == nullptr) return Napi::Buffer<uint8_t>::New(env, 0);
  auto* own = new LargeBytes(std::move(content));
  return Napi::Buffer<uint8_t>::New(env, own->data(), own->bytes().size, [own](Napi::Env, uint8_t*) { delete own; });
}

Napi::Value row(Napi::Env env, const Row& row) {
  return Napi::Buffer<char>::Copy(env, reinterpret_cast<const char*>(&row), sizeof row);
}

Napi::Value latin1(Napi::Env env, std::string_view text) {
  napi_value value = nullptr;
  // An empty view may have no address, which Node-API takes for a bad argument.
  napi_create_string_latin1(env, text.empty() ? "" : text.data(), text.size(), &value);
  return {env, value};
}

Napi::Value oid(Napi::Env env, const uint8_t* oid) { return latin1(env, toHex(oid, kSha1Size)); }

Napi::Value digits(Napi::Env env, uint64_t number) { return latin1(env, std::to_string(number)); }

const char* kindName(PathKind kind) {
  constexpr const char* kNames[] = {"file", "link", "directory", "other", "absent", "unreachable"};
  return kNames[static_cast<size_t>(kind)];
}

}  // namespace gates::js
