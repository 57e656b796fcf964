#include "json.h"

namespace gates::front {

namespace {

constexpr int kDeepest = 64;

bool isDigit(char c) { return c >= '0' && c <= '9'; }

void appendUtf8(std::string& out, unsigned code) {
  const auto push = [&out](unsigned byte) { out.push_back(static_cast<char>(byte)); };
  if (code < 0x80) return push(code);
  if (code < 0x800) return push(0xc0 | code >> 6), push(0x80 | (code & 63));
  if (code < 0x10000) return push(0xe0 | code >> 12), push(0x80 | (code >> 6 & 63)), push(0x80 | (code & 63));
  push(0xf0 | code >> 18), push(0x80 | (code >> 12 & 63)), push(0x80 | (code >> 6 & 63)), push(0x80 | (code & 63));
}

class Reader {
 public:
  explicit Reader(std::string_view text) : at_(text.data()), end_(text.data() + text.size()) {}

  bool object(JsonMembers& members) {
    skipBlanks();
    if (!takes('{') || !membersOf(members)) return false;
    skipBlanks();
    return at_ == end_;
  }

 private:
  bool membersOf(JsonMembers& members) {
    skipBlanks();
    if (takes('}')) return true;
    for (;;) {
      std::string name;
      skipBlanks();
      if (!string(&name) || !colon() || !member(name, members)) return false;
      skipBlanks();
      if (takes('}')) return true;
      if (!takes(',')) return false;
    }
  }

  bool member(const std::string& name, JsonMembers& members) {
    if (!members.wants(name)) return value(1);
    skipBlanks();
    if (at_ == end_) return false;
    std::string text;
    if (*at_ == '"') {
      hasHalfPair_ = false;
      if (!string(&text) || hasHalfPair_) return false;
      members.take(name, JsonType::kString, std::move(text));
      return true;
    }
    const JsonType type = *at_ == 'n' ? JsonType::kNull : JsonType::kOther;
    if (!value(1)) return false;
    members.take(name, type, std::move(text));
    return true;
  }

  bool value(int depth) {
    skipBlanks();
    if (at_ == end_) return false;
    switch (*at_) {
      case '"':
        return string(nullptr);
      case '{':
        return at_++, depth < kDeepest && inner(depth, '}');
      case '[':
        return at_++, depth < kDeepest && inner(depth, ']');
      case 't':
        return word("true");
      case 'f':
        return word("false");
      case 'n':
        return word("null");
      default:
        return number();
    }
  }

  /** Members or elements up to the closing bracket. */
  bool inner(int depth, char close) {
    skipBlanks();
    if (takes(close)) return true;
    for (;;) {
      skipBlanks();
      if (close == '}' && !(string(nullptr) && colon())) return false;
      if (!value(depth + 1)) return false;
      skipBlanks();
      if (takes(close)) return true;
      if (!takes(',')) return false;
    }
  }

  bool colon() {
    skipBlanks();
    return takes(':');
  }

  /** @param text undefined only passes over it */
  bool string(std::string* text) {
    if (!takes('"')) return false;
    for (;;) {
      const char* start = at_;
      while (at_ < end_ && *at_ != '"' && *at_ != '\\' && static_cast<unsigned char>(*at_) >= 0x20) at_++;
      if (text != nullptr) text->append(start, at_);
      if (at_ == end_) return false;
      if (takes('"')) return true;
      if (!takes('\\') || !escape(text)) return false;
    }
  }

  bool escape(std::string* text) {
    if (at_ == end_) return false;
    const char c = *at_++;
    if (c == 'u') return unicodeEscape(text);
    constexpr std::string_view kNames = "\"\\/bfnrt";
    constexpr std::string_view kMeant = "\"\\/\b\f\n\r\t";
    const size_t which = kNames.find(c);
    if (which == kNames.npos) return false;
    if (text != nullptr) text->push_back(kMeant[which]);
    return true;
  }

  bool unicodeEscape(std::string* text) {
    unsigned code = 0;
    if (!hex4(code)) return false;
    if (code >= 0xd800 && code < 0xdc00) {
      const char* behind = at_;
      unsigned low = 0;
      const bool isPair = takes('\\') && takes('u') && hex4(low) && low >= 0xdc00 && low < 0xe000;
      if (isPair) {
        code = 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00);
      } else {
        // What follows is read again, as an escape of its own.
        at_ = behind;
      }
    }
    if (code >= 0xd800 && code < 0xe000) hasHalfPair_ = true;
    else if (text != nullptr) appendUtf8(*text, code);
    return true;
  }

  bool hex4(unsigned& code) {
    code = 0;
    for (int i = 0; i < 4; i++) {
      if (at_ == end_) return false;
      const char c = *at_++;
      const char lower = static_cast<char>(c | 0x20);
      if (isDigit(c)) code = code * 16 + static_cast<unsigned>(c - '0');
      else if (lower >= 'a' && lower <= 'f') code = code * 16 + static_cast<unsigned>(lower - 'a' + 10);
      else return false;
    }
    return true;
  }

  bool number() {
    takes('-');
    if (!takes('0') && !digits()) return false;
    if (takes('.') && !digits()) return false;
    if (takes('e') || takes('E')) {
      if (!takes('+')) takes('-');
      return digits();
    }
    return true;
  }

  /** One at least. */
  bool digits() {
    const char* start = at_;
    while (at_ < end_ && isDigit(*at_)) at_++;
    return at_ > start;
  }

  bool word(std::string_view expected) {
    if (static_cast<size_t>(end_ - at_) < expected.size() || std::string_view(at_, expected.size()) != expected) return false;
    at_ += expected.size();
    return true;
  }

  bool takes(char c) {
    if (at_ == end_ || *at_ != c) return false;
    at_++;
    return true;
  }

  void skipBlanks() {
    while (at_ < end_ && (*at_ == ' ' || *at_ == '\t' || *at_ == '\n' || *at_ == '\r')) at_++;
  }

  const char* at_;
  const char* end_;
  bool hasHalfPair_ = false;
};

}  // namespace

bool readJsonObject(std::string_view text, JsonMembers& members) { return Reader(text).object(members); }

}  // namespace gates::front
