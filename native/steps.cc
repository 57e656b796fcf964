#include "steps.h"

#include <atomic>
#include <csignal>
#include <mutex>
#include <utility>

namespace gates {

namespace {

struct ArmedStep {
  std::string name;
  StepAction action = StepAction::kNone;
  int error = 0;
};

std::atomic<bool> isArmed{false};
std::mutex guard;

ArmedStep& armed() {
  static ArmedStep step;
  return step;
}

}  // namespace

void armStep(std::string_view name, StepAction action, int error) {
  const std::lock_guard<std::mutex> lock(guard);
  armed() = {std::string(name), action, error};
  isArmed.store(action != StepAction::kNone);
}

int reachStep(const char* name) {
  if (!isArmed.load()) return 0;
  const std::lock_guard<std::mutex> lock(guard);
  ArmedStep& step = armed();
  if (step.action == StepAction::kNone || step.name != name) return 0;
  const ArmedStep reached = std::exchange(step, {});
  if (reached.action == StepAction::kKill) ::raise(SIGKILL);
  if (reached.action == StepAction::kStop) ::raise(SIGSTOP);
  return reached.error;
}

}  // namespace gates
