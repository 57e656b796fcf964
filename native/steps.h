#pragma once

#include "status.h"

namespace gates {

/**
 * Named points at which a test can kill or stop the process, or let the step fail. In the order of a pass:
 *
 *   index: index-write, index-prepared, index-locked, index-checked, index-written
 *   replace: replace-write, replace-written, replace-exchange, replace-exchanged, replace-kept
 *   remove: remove-moved
 *   keep: keep-rename, keep-copied
 *   read: read-done
 */
namespace step {
constexpr char kIndexWrite[] = "index-write";
constexpr char kIndexPrepared[] = "index-prepared";
constexpr char kIndexLocked[] = "index-locked";
constexpr char kIndexChecked[] = "index-checked";
constexpr char kIndexWritten[] = "index-written";
constexpr char kReplaceWrite[] = "replace-write";
constexpr char kReplaceWritten[] = "replace-written";
/** Its errno is what the exchange itself fails with. */
constexpr char kReplaceExchange[] = "replace-exchange";
constexpr char kReplaceExchanged[] = "replace-exchanged";
constexpr char kReplaceKept[] = "replace-kept";
constexpr char kRemoveMoved[] = "remove-moved";
/** Its errno is what the rename to the kept place fails with. */
constexpr char kKeepRename[] = "keep-rename";
constexpr char kKeepCopied[] = "keep-copied";
constexpr char kReadDone[] = "read-done";
}  // namespace step

enum class StepAction { kNone, kKill, kStop, kFail };

/** Arms one step; the one before is disarmed. Process-wide, for tests only. */
void armStep(std::string_view name, StepAction action, int error);

/** Reaches a step. @returns the errno it is armed with, once; 0 otherwise */
int reachStep(const char* name);

}  // namespace gates
