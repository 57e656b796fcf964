#include "steps.h"

#include <csignal>

namespace gates {

namespace {

struct ArmedStep {
  std::string name;
  StepAction action = StepAction::kNone;
  int error = 0;
};

ArmedStep& armed() {
  static ArmedStep step;
  return step;
}

}  // namespace

void armStep(std::string_view name, StepAction action, int error) { armed() = {std::string(name), action, error}; }

int reachStep(const char* name) {
  ArmedStep& step = armed();
  if (step.action == StepAction::kNone || step.name != name) return 0;
  const ArmedStep reached = std::exchange(step, {});
  if (reached.action == StepAction::kKill) ::raise(SIGKILL);
  if (reached.action == StepAction::kStop) ::raise(SIGSTOP);
  return reached.error;
}

}  // namespace gates
