#include "front/payload.h"

#include "front.h"
#include "fuzz.h"

namespace fuzz {

namespace {

constexpr const char* kFields[] = {"session_id", "transcript_path", "hook_event_name", "cwd", "tool_name", "agent_id", "last_assistant_message"};

/** A string of JSON in escapes alone where that can be. */
std::string spelled(std::string_view text) {
  std::string json = "\"";
  char escape[8];
  for (const char c : text) {
    const unsigned byte = static_cast<unsigned char>(c);
    std::snprintf(escape, sizeof escape, "\\u%04x", byte);
    byte < 0x80 ? void(json.append(escape)) : json.push_back(c);
  }
  return json + "\"";
}

}  // namespace

std::string callOf(Bytes input) {
  gates::front::Payload payload;
  if (!payload.read(input.view())) return {};
  check(gates::front::isSessionId(payload.session()), "a session's id is a safe file name");

  std::string call;
  for (const char* name : kFields) {
    if (const auto text = payload.field(name)) call.append(call.empty() ? "{" : ",").append(spelled(name)).append(":").append(spelled(*text));
  }
  call += "}";
  gates::front::Payload again;
  check(again.read(call), "what was read can be written and read");
  for (const char* name : kFields) check(again.field(name) == payload.field(name), "a field is the same when it is read again");
  return call;
}

void payload(Bytes input) { (void)callOf(input); }

}  // namespace fuzz
