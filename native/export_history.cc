#include "args.h"
#include "exports.h"
#include "git_state.h"
#include "history.h"
#include "since.h"

namespace gates::js {

namespace {

bool readIds(Napi::Value value, const char* name, std::vector<ObjectId>& ids) {
  return readArray(value, name, [&](Napi::Value each, const char*) { return readOid(each, name, ids.emplace_back().data()); });
}

Napi::Value idArray(Napi::Env env, const std::vector<ObjectId>& ids) {
  Napi::Array array = Napi::Array::New(env, ids.size());
  for (uint32_t i = 0; i < ids.size(); i++) array.Set(i, oid(env, ids[i].data()));
  return array;
}

Napi::Value find(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GitRepository* git = readGit(info[0]);
  Napi::Object object;
  BlobSearch search;
  const bool isRead = git != nullptr && readObject(info[1], "search", object) &&
                      readIds(object.Get("tips"), "tips", search.tips) &&
                      readRepoPath(object.Get("path"), "path", search.path) &&
                      readOid(object.Get("oid"), "oid", search.id.data()) && read(object.Get("budgetMs"), "budgetMs", search.budgetMs);
  if (!isRead) return env.Undefined();
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
  const bool isRead = git != nullptr && readObject(info[1], "search", object) &&
                      readIds(object.Get("tips"), "tips", search.tips) &&
                      readRepoPath(object.Get("path"), "path", search.path) &&
                      read(object.Get("mostCommits"), "mostCommits", search.mostCommits) &&
                      read(object.Get("mostChanges"), "mostChanges", search.mostChanges) &&
                      read(object.Get("budgetMs"), "budgetMs", search.budgetMs);
  if (!isRead) return env.Undefined();
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
  const bool isRead = git != nullptr && readObject(info[1], "search", object) &&
                      readIds(object.Get("tips"), "tips", search.tips) &&
                      readOid(object.Get("like"), "like", search.like.data()) &&
                      read(object.Get("most"), "most", search.most) && read(object.Get("budgetMs"), "budgetMs", search.budgetMs);
  if (!isRead) return env.Undefined();
  std::vector<ObjectId> found;
  if (const Status status = findSameAuthor(*git, search, found); !status.ok()) return raise(env, status);
  return idArray(env, found);
}

Napi::Value since(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GitRepository* git = readGit(info[0]);
  Napi::Object object;
  SinceSearch search;
  const bool isRead = git != nullptr && readObject(info[1], "search", object) &&
                      readIds(object.Get("tips"), "tips", search.tips) &&
                      readIds(object.Get("hidden"), "hidden", search.hidden) &&
                      read(object.Get("most"), "most", search.most);
  if (!isRead) return env.Undefined();
  std::vector<ObjectId> found;
  if (const Status status = commitsSince(*git, search, found); !status.ok()) return raise(env, status);
  return idArray(env, found);
}

Napi::Value commitInfo(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GitRepository* git = readGit(info[0]);
  ObjectId id{};
  if (git == nullptr || !readOid(info[1], "oid", id.data())) return env.Undefined();
  Commit commit;
  std::string message;
  Status status = readCommit(*git, id, commit);
  if (status.ok()) status = readMessage(*git, id, message);
  return ifFound(env, status, [&]() -> Napi::Value {
    Napi::Object found = Napi::Object::New(env);
    found.Set("oid", oid(env, id.data()));
    found.Set("tree", oid(env, commit.tree.data()));
    found.Set("parents", idArray(env, commit.parents));
    found.Set("message", Napi::String::New(env, message));
    return found;
  });
}

Napi::Value tagTarget(const Napi::CallbackInfo& info) {
  const Napi::Env env = info.Env();
  const GitRepository* git = readGit(info[0]);
  ObjectId id{};
  if (git == nullptr || !readOid(info[1], "oid", id.data())) return env.Undefined();
  ObjectId target{};
  return ifFound(env, readTagTarget(*git, id, target), [&] { return oid(env, target.data()); });
}

}  // namespace

void exportHistory(Napi::Env env, Napi::Object& exports) {
  add(env, exports, "findBlob", find);
  add(env, exports, "findChanges", changes);
  add(env, exports, "findSameAuthor", sameAuthor);
  add(env, exports, "commitsSince", since);
  add(env, exports, "commitInfo", commitInfo);
  add(env, exports, "tagTarget", tagTarget);
}

}  // namespace gates::js
