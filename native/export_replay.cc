#include "args.h"
#include "exports.h"
#include "git_state.h"
#include "replay.h"

namespace gates::js {

namespace {

/** A replay and the library that made it, freed with the JavaScript value. */
struct HeldReplay {
  const LibGit2* lib;
  Replayed index;
};

using External = Napi::External<HeldReplay>;

bool readKind(Napi::Value value, ReplayKind& kind) {
  std::string text;
  if (!readText(value, "kind", text)) return false;
  if (text == "merge") kind = ReplayKind::kMerge;
  else if (text == "pick") kind = ReplayKind::kPick;
  else if (text == "revert") kind = ReplayKind::kRevert;
  else return typeError(value.Env(), "kind", "merge, pick or revert");
  return true;
}

Napi::Value replayCommit(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  Napi::Object order;
  std::string gitDir;
  ReplayOrder asked;
  uint32_t mainline = 0;
  const auto readOther = [&](Napi::Value value, const char*) {
    return readOid(value, "others", asked.others.emplace_back().data());
  };
  const bool isRead = readObject(info[0], "order", order) && readAbsolutePath(order.Get("gitDir"), "gitDir", gitDir) &&
                      readKind(order.Get("kind"), asked.kind) && readOid(order.Get("onto"), "onto", asked.onto.data()) &&
                      readArray(order.Get("others"), "others", readOther) &&
                      read(order.Get("mainline"), "mainline", mainline);
  if (!isRead) return env.Undefined();
  asked.mainline = mainline;
  const LibGit2* lib = libgit2Of(env);
  if (lib == nullptr) return raise(env, fail(ENOSYS, "libgit2"));
  Replayed index(nullptr, lib->index_free);
  if (const Status status = replay(*lib, gitDir, asked, index); !status.ok()) return raise(env, status);
  return External::New(env, new HeldReplay{lib, std::move(index)}, [](Napi::Env, HeldReplay* held) { delete held; });
}

Napi::Value replayedAt(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  std::string path;
  if (!info[0].IsExternal()) return typeError(env, "replay", "a replay"), env.Undefined();
  if (!readRepoPath(info[1], "path", path)) return env.Undefined();
  const HeldReplay& held = *info[0].As<External>().Data();
  const ReplayedPath found = lookUp(*held.lib, held.index.get(), path);
  Napi::Object result = Napi::Object::New(env);
  result.Set("oid", found.id ? oid(env, found.id->data()) : env.Undefined());
  result.Set("isConflicted", found.isConflicted);
  return result;
}

}  // namespace

void exportReplay(Napi::Env env, Napi::Object& exports) {
  add(env, exports, "replay", replayCommit);
  add(env, exports, "replayedAt", replayedAt);
}

}  // namespace gates::js
