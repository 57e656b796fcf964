#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gates::front {

/** What a value of an object is, as far as the front has to know. */
enum class JsonType { kString, kNull, kOther };

/** Takes the members of one object, in their order: a later one of the same name replaces an earlier one, as in JSON.parse. */
class JsonMembers {
 public:
  virtual ~JsonMembers() = default;
  /** @returns whether the member's text is wanted */
  virtual bool wants(std::string_view name) = 0;
  /** Called for wanted members. @param text of a string, in UTF-8; else empty */
  virtual void take(std::string_view name, JsonType type, std::string&& text) = 0;
};

/**
 * Reads a text that is one JSON object, by the grammar of RFC 8259, which is that of JSON.parse.
 *
 * @returns false for anything else, and for what is not read here although it is JSON: nesting deeper than 64, and a
 *   wanted string with half a surrogate pair
 */
bool readJsonObject(std::string_view text, JsonMembers& members);

}  // namespace gates::front
