#pragma once

#include <memory>
#include <string>

#include "certificate.h"
#include "deadline.h"
#include "payload.h"
#include "tree.h"

namespace gates::front {

/**
 * Whether every fact of a certificate holds now. Trees are looked at last, as they take longest.
 *
 * @param root the state root
 * @param left the tree whose files differ, where that is all that does not hold
 */
bool hold(const Certificate& certificate, const Payload& payload, const std::string& root, const Deadline& deadline,
          std::unique_ptr<TreeLook>& left);

}  // namespace gates::front
