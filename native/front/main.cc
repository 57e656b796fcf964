/**
 * The front of the hooks: a verifier of certificates, and nothing more. When every fact of the session's certificate holds
 * there is nothing to do, and it ends without a word. Any doubt, and it becomes Node. docs/native.md explains it.
 */

#include <fcntl.h>
#include <sys/stat.h>
#include <time.h>

#include <memory>
#include <string>

#include "../file_io.h"
#include "../stat_row.h"
#include "certificate.h"
#include "deadline.h"
#include "facts.h"
#include "front_names.h"
#include "node.h"
#include "payload.h"
#include "state.h"
#include "words.h"

namespace gates::front {

namespace {

/** A load is seen before its record is in the transcript. */
bool mayLoadSkill(const Payload& payload) { return payload.field("tool_name") == "Skill" && !payload.field("agent_id"); }

/** Edits are judged before they are made; what a subagent says stands in a transcript of its own. */
bool isJudgedWhenArmed(const Payload& payload) {
  const auto tool = payload.field("tool_name");
  return payload.field("agent_id") || (tool && isAmong(*tool, kEditTools));
}

/** Whether the last check, which is when the certificate was written or last held, is not too long ago. */
bool isFresh(const struct stat& certificate) {
  struct timespec now{};
  if (::clock_gettime(CLOCK_REALTIME, &now) != 0) return false;
  const int64_t agoNs = (now.tv_sec * kSecondNs + now.tv_nsec) - mtimeNsOf(certificate);
  return agoNs >= 0 && agoNs < kLongPauseMs * 1'000'000;
}

/** Only armed certificates are checked behind a mark, for a scan that is killed has left a call unchecked. */
bool holdsArmed(const Certificate& certificate, const Payload& payload, const std::string& root, std::string_view hook,
                int file, const Deadline& deadline, std::unique_ptr<TreeLook>& left) {
  struct stat written{};
  if (isJudgedWhenArmed(payload) || ::fstat(file, &written) != 0 || !isFresh(written)) return false;
  InFlightMark mark;
  if (!mark.leave(root, hook, payload) || !isNobodyAtWork(root, mark.name())) return false;
  return hold(certificate, payload, root, deadline, left) && ::futimens(file, nullptr) == 0;
}

/** What is looked at for one call; the look at a tree points into the certificate. */
struct Look {
  std::string stateRoot;
  std::string certificate;
  /** Where files differ, and nothing else does. */
  std::unique_ptr<TreeLook> left;
};

bool hasNothingToDo(std::string_view hook, const Input& input, const Deadline& deadline, Look& look) {
  if (!isAmong(hook, kHookNames) || !input.isWhole) return false;
  Payload payload;
  if (!payload.read(input.bytes) || mayLoadSkill(payload)) return false;
  const auto root = stateRoot();
  if (!root) return false;
  look.stateRoot = *root;

  const std::string name = std::string(kFrontFolder) + "/" + std::string(hook) + "~" + std::string(payload.session());
  const Fd file = openInState(look.stateRoot, name);
  std::string& bytes = look.certificate;
  struct stat found{};
  if (!file.isOpen() || ::fstat(file.get(), &found) != 0 || found.st_size > kCertificateLimitBytes) return false;
  if (!readAll(file.get(), static_cast<size_t>(found.st_size), bytes, "read", name).ok()) return false;
  const auto certificate = Certificate::parse(bytesOf(bytes));
  if (!certificate) return false;
  if (certificate->isArmed) return holdsArmed(*certificate, payload, look.stateRoot, hook, file.get(), deadline, look.left);
  return isNobodyAtWork(look.stateRoot, "") && hold(*certificate, payload, look.stateRoot, deadline, look.left);
}

}  // namespace

}  // namespace gates::front

int main(int argc, char** argv) {
  using namespace gates::front;
  const Deadline deadline;
  const Input input = readInput();
  Look look;
  if (argc == 2 && hasNothingToDo(argv[1], input, deadline, look)) return 0;
  return becomeNode(argc, argv, input, deadline, look.left.get());
}
