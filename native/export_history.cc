#include "args.h"
#include "exports.h"
#include "git_state.h"
#include "history.h"
#include "since.h"

namespace gates::js {

namespace {

Napi::Value find(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GitRepository* git = readGit(info[0]);
  Napi::Object object;
  BlobSearch search;
  uint32_t budgetMs = 0;
  const auto readTip = [&](Napi::Value value, const char*) { return readOid(value, "tips", search.tips.emplace_back().data()); };
  const bool isRead = git != nullptr && readObject(info[1], "search", object) &&
                      readArray(object.Get("tips"), "tips", readTip) &&
                      readRepoPath(object.Get("path"), "path", search.path) &&
                      readOid(object.Get("oid"), "oid", search.id.data()) && read(object.Get("budgetMs"), "budgetMs", budgetMs);
  if (!isRead) return env.Undefined();
  search.budgetMs = budgetMs;
  BlobFound found;
  if (const Status status = findBlob(*git, search, found); !status.ok()) return raise(env, status);
  Napi::Object result = Napi::Object::New(env);
  result.Set("found", found.commit ? oid(env, found.commit->data()) : env.Undefined());
  result.Set("complete", found.isComplete);
  result.Set("missing", found.isMissing);
  result.Set("visited", static_cast<double>(found.visited));
  return result;
}

Napi::Value held(Napi::Env env, const Held& blob) { return blob ? oid(env, blob->data()) : env.Undefined(); }

Napi::Value changes(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GitRepository* git = readGit(info[0]);
  Napi::Object object;
  ChangeSearch search;
  uint32_t mostCommits = 0;
  uint32_t mostChanges = 0;
  uint32_t budgetMs = 0;
  const auto readTip = [&](Napi::Value value, const char*) { return readOid(value, "tips", search.tips.emplace_back().data()); };
  const bool isRead = git != nullptr && readObject(info[1], "search", object) &&
                      readArray(object.Get("tips"), "tips", readTip) &&
                      readRepoPath(object.Get("path"), "path", search.path) &&
                      read(object.Get("mostCommits"), "mostCommits", mostCommits) &&
                      read(object.Get("mostChanges"), "mostChanges", mostChanges) &&
                      read(object.Get("budgetMs"), "budgetMs", budgetMs);
  if (!isRead) return env.Undefined();
  search.mostCommits = mostCommits;
  search.mostChanges = mostChanges;
  search.budgetMs = budgetMs;
  std::vector<Change> found;
  if (const Status status = findChanges(*git, search, found); !status.ok()) return raise(env, status);
  Napi::Array result = Napi::Array::New(env, found.size());
  for (uint32_t i = 0; i < found.size(); i++) {
    Napi::Object change = Napi::Object::New(env);
    change.Set("from", held(env, found[i].from));
    change.Set("to", held(env, found[i].to));
    result.Set(i, change);
  }
  return result;
}

Napi::Value sameAuthor(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GitRepository* git = readGit(info[0]);
  Napi::Object object;
  AuthorSearch search;
  uint32_t most = 0;
  uint32_t budgetMs = 0;
  const auto readTip = [&](Napi::Value value, const char*) { return readOid(value, "tips", search.tips.emplace_back().data()); };
  const bool isRead = git != nullptr && readObject(info[1], "search", object) &&
                      readArray(object.Get("tips"), "tips", readTip) &&
                      readOid(object.Get("like"), "like", search.like.data()) &&
                      read(object.Get("most"), "most", most) && read(object.Get("budgetMs"), "budgetMs", budgetMs);
  if (!isRead) return env.Undefined();
  search.most = most;
  search.budgetMs = budgetMs;
  std::vector<ObjectId> found;
  if (const Status status = findSameAuthor(*git, search, found); !status.ok()) return raise(env, status);
  Napi::Array result = Napi::Array::New(env, found.size());
  for (uint32_t i = 0; i < found.size(); i++) result.Set(i, oid(env, found[i].data()));
  return result;
}

Napi::Value since(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GitRepository* git = readGit(info[0]);
  Napi::Object object;
  SinceSearch search;
  uint32_t most = 0;
  const auto readInto = [](std::vector<ObjectId>& ids) {
    return [&ids](Napi::Value value, const char* name) { return readOid(value, name, ids.emplace_back().data()); };
  };
  const bool isRead = git != nullptr && readObject(info[1], "search", object) &&
                      readArray(object.Get("tips"), "tips", readInto(search.tips)) &&
                      readArray(object.Get("hidden"), "hidden", readInto(search.hidden)) &&
                      read(object.Get("most"), "most", most);
  if (!isRead) return env.Undefined();
  search.most = most;
  std::vector<ObjectId> found;
  if (const Status status = commitsSince(*git, search, found); !status.ok()) return raise(env, status);
  Napi::Array ids = Napi::Array::New(env, found.size());
  for (uint32_t i = 0; i < found.size(); i++) ids.Set(i, oid(env, found[i].data()));
  return ids;
}

}  // namespace

void exportHistory(Napi::Env env, Napi::Object& exports) {
  add(env, exports, "findBlob", find);
  add(env, exports, "findChanges", changes);
  add(env, exports, "findSameAuthor", sameAuthor);
  add(env, exports, "commitsSince", since);
}

}  // namespace gates::js
