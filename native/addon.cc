#include "exports.h"
#include "git_state.h"

namespace {

Napi::Object init(Napi::Env env, Napi::Object exports) {
  env.SetInstanceData(new gates::js::GitState);
  gates::js::exportIndex(env, exports);
  gates::js::exportScan(env, exports);
  gates::js::exportFiles(env, exports);
  gates::js::exportLocks(env, exports);
  gates::js::exportGit(env, exports);
  gates::js::exportConvert(env, exports);
  gates::js::exportHistory(env, exports);
  gates::js::exportReplay(env, exports);
  gates::js::exportWatchdog(env, exports);
  return exports;
}

}  // namespace

NODE_API_MODULE(gstack_gates, init)
