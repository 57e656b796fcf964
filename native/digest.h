#pragma once

#include <string>

#include "bytes.h"
#include "status.h"

namespace gates {

/** Digests of the OpenSSL that Node itself has: to load `node:crypto` for them takes 5 ms. @returns ENOSYS without one */
Status digest(const char* name, Bytes bytes, std::string& found);

}  // namespace gates
