#include "memory_odb.h"

#include <unordered_map>

namespace gates {

namespace {

struct Written {
  git_object_t type;
  std::string content;
};

/** The database's only backend. It has no `freshen`, so libgit2 asks whether an object exists and touches nothing. */
struct MemoryBackend {
  git_odb_backend parent = GIT_ODB_BACKEND_INIT;
  const LibGit2* lib = nullptr;
  GitOwned<git_odb> source{nullptr, nullptr};
  std::unordered_map<std::string, Written> written;

  const Written* find(const git_oid* id) const {
    const auto found = written.find(keyOf(id));
    return found == written.end() ? nullptr : &found->second;
  }

  static std::string keyOf(const git_oid* id) { return {reinterpret_cast<const char*>(id->id), kSha1Size}; }
};

MemoryBackend& self(git_odb_backend* backend) { return *reinterpret_cast<MemoryBackend*>(backend); }

int copyOut(git_odb_backend* backend, const void* content, size_t size, void** data, size_t* length) {
  // libgit2 frees it, and asks for a byte even where there is none.
  *data = self(backend).lib->odb_backend_data_alloc(backend, size + 1);
  if (*data == nullptr) return GIT_ERROR;
  std::memcpy(*data, content, size);
  *length = size;
  return GIT_OK;
}

int readObjectOf(void** data, size_t* length, git_object_t* type, git_odb_backend* backend, const git_oid* id) {
  const MemoryBackend& memory = self(backend);
  if (const Written* own = memory.find(id); own != nullptr) {
    *type = own->type;
    return copyOut(backend, own->content.data(), own->content.size(), data, length);
  }
  git_odb_object* object = nullptr;
  const int result = memory.lib->odb_read(&object, memory.source.get(), id);
  if (result < 0) return result;
  const GitOwned<git_odb_object> owned(object, memory.lib->odb_object_free);
  *type = memory.lib->odb_object_type(object);
  return copyOut(backend, memory.lib->odb_object_data(object), memory.lib->odb_object_size(object), data, length);
}

int readHeaderOf(size_t* length, git_object_t* type, git_odb_backend* backend, const git_oid* id) {
  const MemoryBackend& memory = self(backend);
  const Written* own = memory.find(id);
  if (own == nullptr) return memory.lib->odb_read_header(length, type, memory.source.get(), id);
  *length = own->content.size();
  *type = own->type;
  return GIT_OK;
}

int existsIn(git_odb_backend* backend, const git_oid* id) {
  const MemoryBackend& memory = self(backend);
  return memory.find(id) != nullptr ? 1 : memory.lib->odb_exists(memory.source.get(), id);
}

int writeTo(git_odb_backend* backend, const git_oid* id, const void* content, size_t size, git_object_t type) {
  self(backend).written.emplace(MemoryBackend::keyOf(id), Written{type, {static_cast<const char*>(content), size}});
  return GIT_OK;
}

void freeBackend(git_odb_backend* backend) { delete &self(backend); }

}  // namespace

Status writeToMemory(const GitRepository& git) {
  const LibGit2& lib = *git.lib;
  git_odb* source = nullptr;
  Status status = gitStatus(lib, lib.repository_odb(&source, git.repository.get()), "git_repository_odb");
  if (!status.ok()) return status;
  auto backend = std::make_unique<MemoryBackend>();
  backend->lib = &lib;
  backend->source = {source, lib.odb_free};
  backend->parent.read = readObjectOf;
  backend->parent.read_header = readHeaderOf;
  backend->parent.exists = existsIn;
  backend->parent.write = writeTo;
  backend->parent.free = freeBackend;

  git_odb* odb = nullptr;
  status = gitStatus(lib, lib.odb_new(&odb), "git_odb_new");
  const GitOwned<git_odb> owned(odb, lib.odb_free);
  if (status.ok()) status = gitStatus(lib, lib.odb_add_backend(odb, &backend->parent, 1), "git_odb_add_backend");
  if (!status.ok()) return status;
  backend.release();  // NOLINT: the database frees it
  return gitStatus(lib, lib.repository_set_odb(git.repository.get(), odb), "git_repository_set_odb");
}

}  // namespace gates
