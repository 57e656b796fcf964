#include "payload.h"

#include <algorithm>

#include "json.h"
#include "words.h"

namespace gates::front {

namespace {

constexpr std::string_view kRequired[] = {"session_id", "transcript_path", "hook_event_name", "cwd"};
constexpr std::string_view kOptional[] = {"tool_name",  "tool_use_id",           "agent_id",
                                          "agent_type", "agent_transcript_path", "last_assistant_message",
                                          "prompt"};

bool isLetterOrDigit(char c) { return (c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z'); }

}  // namespace

class Members : public JsonMembers {
 public:
  explicit Members(Payload& payload) : payload_(payload) {}

  bool wants(std::string_view name) override {
    return isAmong(name, kRequired) || isAmong(name, kOptional);
  }

  void take(std::string_view name, JsonType type, std::string&& text) override {
    auto& fields = payload_.fields_;
    fields.erase(std::remove_if(fields.begin(), fields.end(), [&](const Payload::Field& field) { return field.name == name; }),
                 fields.end());
    auto& odd = odd_;
    odd.erase(std::remove(odd.begin(), odd.end(), name), odd.end());
    if (type == JsonType::kOther) odd.emplace_back(name);
    if (type == JsonType::kString) fields.push_back({std::string(name), std::move(text)});
  }

  bool areTexts() const { return odd_.empty(); }

 private:
  Payload& payload_;
  /** Fields that are neither a text nor null. */
  std::vector<std::string> odd_;
};

bool Payload::read(std::string_view text) {
  Members members(*this);
  if (!readJsonObject(text, members) || !members.areTexts()) return false;
  for (const std::string_view name : kRequired) {
    const auto value = field(name);
    if (!value || value->empty() || value->find('\0') != value->npos) return false;
  }
  return isSessionId(session());
}

std::optional<std::string_view> Payload::field(std::string_view name) const {
  for (const Field& field : fields_) {
    if (field.name == name) return field.text;
  }
  return std::nullopt;
}

bool isSessionId(std::string_view text) {
  if (text.empty() || text.size() > 128 || !isLetterOrDigit(text[0])) return false;
  return std::all_of(text.begin(), text.end(), [](char c) { return isLetterOrDigit(c) || c == '.' || c == '_' || c == '-'; });
}

}  // namespace gates::front
