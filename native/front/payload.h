#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gates::front {

/** The fields of a payload that `hook/payload.ts` checks. */
class Payload {
 public:
  /** @returns false when that file would refuse it, or when it is not sure that it would not */
  bool read(std::string_view text);

  /** Text of a field; none when it is missing or null. */
  std::optional<std::string_view> field(std::string_view name) const;

  std::string_view session() const { return *field("session_id"); }

 private:
  struct Field {
    std::string name;
    std::string text;
  };
  friend class Members;

  std::vector<Field> fields_;
};

/** Whether `core/ids.ts` takes it for a session's id, which is a safe file name. */
bool isSessionId(std::string_view text);

}  // namespace gates::front
