#pragma once

#include <string>

#include "bytes.h"
#include "front/payload.h"

namespace fuzz {

/** Where a certificate is held: a state root, and a payload that names the transcript. */
struct Held {
  std::string root;
  gates::front::Payload payload;
};

/** As FUZZ_STATE_ROOT and the file that FUZZ_PAYLOAD names have them. */
const Held& held();

/** Whether the front would end by itself; its promises are checked on the way. */
bool isHeld(gates::Bytes certificate);

/** The call that the front reads from a payload; empty when it leaves the payload to Node. */
std::string callOf(gates::Bytes payload);

/** The SHA-1 that a certificate ends with. */
std::string sealed(std::string content);

/** Runs on the damages of a file; see there. */
void every(const std::string& kind, const char* path, size_t step);

}  // namespace fuzz
