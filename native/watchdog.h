#pragma once

#include <string>

#include "status.h"

namespace gates {

/**
 * Ends the process when it is not stopped in time: writes the text to standard output and exits with 0. It runs on a thread
 * of its own, so that no call that hangs in the kernel can hold it up. Starting it again moves the time.
 */
Status startWatchdog(unsigned milliseconds, std::string text);

/** Once this returns, the process is not ended any more. */
void stopWatchdog();

}  // namespace gates
