#pragma once

#include "certificate.h"
#include "payload.h"

namespace gates::front {

/**
 * Whether the payload's transcript is the file that was read, has only grown since, and none of the words that matter stands in
 * what was appended; where a cause is forbidden, none in the payload's last message either.
 */
bool transcriptHolds(const Fact& fact, const Payload& payload);

}  // namespace gates::front
