#pragma once

#include <string>

#include "certificate.h"
#include "deadline.h"
#include "payload.h"

namespace gates::front {

/**
 * Whether every fact of a certificate holds now. Trees are looked at last, as they take longest.
 *
 * @param root the state root
 */
bool hold(const Certificate& certificate, const Payload& payload, const std::string& root, const Deadline& deadline);

}  // namespace gates::front
