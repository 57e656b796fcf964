#include "tree.h"

#include <signal.h>
#include <unistd.h>

#include <algorithm>

#include "../byte_reader.h"
#include "../file_io.h"
#include "../stat_table.h"
#include "platform.h"
#include "state.h"

namespace gates::front {

namespace {

/** A file of the state directory in memory, as far as it is looked at. */
bool mapInState(const std::string& root, std::string_view path, MappedFile& mapped) {
  const Fd file = openInState(root, path);
  return file.isOpen() && mapped.map(file.get(), path).ok() && mapped.bytes().data != nullptr;
}

}  // namespace

TreeLook::TreeLook(const Fact& fact, std::string root) : stateRoot_(std::move(root)) {
  ByteReader reader(fact.body);
  for (std::string* text : {&handed_.root, &handed_.index, &handed_.table, &handed_.patch}) *text = reader.text();
  for (uint32_t left = reader.u32(); left > 0 && reader.isGood(); left--) pinned_.ignored.push_back(reader.text());
  isGood_ = reader.isWhole() && std::is_sorted(pinned_.ignored.begin(), pinned_.ignored.end());
}

bool TreeLook::open(const Deadline& deadline) {
  if (!isGood_ || !mapInState(stateRoot_, handed_.index, index_) || !mapInState(stateRoot_, handed_.table, table_)) return false;
  MappedFile patch;
  const bool isPatched = !handed_.patch.empty();
  if (isPatched && (!mapInState(stateRoot_, handed_.patch, patch) ||
                    !applyPatch(table_.data(), table_.bytes().size, patch.bytes()).ok()))
    return false;
  pinned_.root = handed_.root;
  pinned_.index = index_.bytes();
  pinned_.table = table_.bytes();
  pinned_.isMapped = true;
  pinned_.onlyWhether = true;
  pinned_.giveUpAtMs = deadline.endMs();
  return true;
}

bool TreeLook::holds(const Deadline& deadline) {
  if (!open(deadline)) return false;
  comparison_.emplace(pinned_);
  if (!comparison_->run().ok()) return false;
  handed_.found = comparison_->found();
  return handed_.found.empty();
}

int TreeLook::goOn(pid_t& scanner) {
  int ends[2];
  if (handed_.found.empty() || !canEndWithParent() || ::pipe(ends) != 0) return -1;
  const pid_t parent = ::getpid();
  scanner = ::fork();
  if (scanner == 0) {
    endWithParent();
    // Whoever reads what the hook says waits for all who could still say something.
    for (const int standard : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO, ends[0]}) ::close(standard);
    if (::getppid() == parent) finish(ends[1]);
    ::_exit(0);
  }
  ::close(ends[1]);
  if (scanner > 0) return ends[0];
  ::close(ends[0]);
  return -1;
}

/** Node takes nothing for an answer but a whole one, and then looks itself. */
void TreeLook::finish(int to) {
  ::signal(SIGPIPE, SIG_DFL);
  if (!comparison_->finish().ok()) return;
  for (Difference& each : comparison_->found()) handed_.found.push_back(std::move(each));
  static_cast<void>(writeAll(to, bytesOf(encodeScan(handed_)), "write", "scan"));
}

}  // namespace gates::front
