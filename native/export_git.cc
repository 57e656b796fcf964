#include "args.h"
#include "exports.h"
#include "sha1.h"

namespace gates::js {

namespace {

Napi::Value hashBlob(const Napi::CallbackInfo& info) {
  Bytes bytes;
  if (!read(info[0], "bytes", bytes)) return info.Env().Undefined();
  return oid(info.Env(), blobId(bytes).data());
}

}  // namespace

void exportGit(Napi::Env env, Napi::Object& exports) { add(env, exports, "hashBlob", hashBlob); }

}  // namespace gates::js
