#include "front/transcript.h"

#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>

#include "fd.h"
#include "front/words.h"
#include "front_names.h"
#include "fuzz.h"
#include "sha1.h"

namespace fuzz {

namespace {

using gates::front::has;
using gates::front::mayStateCause;

void append(std::string& out, uint64_t value, int bytes) {
  for (int i = 0; i < bytes; i++) out.push_back(static_cast<char>(value >> 8 * i & 0xff));
}

void append(std::string& out, std::string_view text) {
  append(out, text.size(), 4);
  out += text;
}

/** Longer texts may spell what a part of them may spell. */
void checkWords(std::string_view part, std::string_view whole) {
  check(mayStateCause(whole) || !mayStateCause(part), "a cause is seen in a longer text");
  check(gates::front::hasEscapedLetter(whole) || !gates::front::hasEscapedLetter(part), "an escape is seen in a longer text");
}

}  // namespace

/** The input is how much of the file was read before, whether a cause is forbidden, the payload's last words, and the file. */
void transcript(Bytes input) {
  const std::string_view said = takeShort(input).view();
  const std::string_view place = takeShort(input).view();
  const std::string text(input.view());
  const size_t offset = place.empty() || text.empty() ? 0 : static_cast<unsigned char>(place[0]) % (text.size() + 1);
  const bool forbidsCause = place.size() > 1 && (place[1] & 1) != 0;
  checkWords(std::string_view(text).substr(offset), text);

  const gates::Fd file(::memfd_create("transcript", 0));
  check(::write(file.get(), text.data(), text.size()) == static_cast<ssize_t>(text.size()), "the file is written");
  struct stat found{};
  check(::fstat(file.get(), &found) == 0, "the file is there");
  const std::string path = "/proc/self/fd/" + std::to_string(file.get());

  std::string body;
  append(body, path);
  append(body, found.st_dev, 8);
  append(body, found.st_ino, 8);
  append(body, offset, 8);
  append(body, offset, 4);
  const gates::Sha1Digest head = gates::sha1(gates::bytesOf(text.substr(0, offset)));
  body.append(head.begin(), head.end());
  append(body, 1, 4);
  append(body, std::string_view("investigate"));

  std::string json = R"({"session_id":"s","hook_event_name":"Stop","cwd":"/","transcript_path":")" + path + R"(","last_assistant_message":")";
  for (const char c : said) json += c == '"' || c == '\\' || static_cast<unsigned char>(c) < 0x20 ? '?' : c;
  gates::front::Payload payload;
  check(payload.read(json + "\"}"), "the payload can be read");
  const uint8_t flags = forbidsCause ? static_cast<uint8_t>(gates::front::kForbidsCause) : 0;
  const bool isSilent = gates::front::transcriptHolds({gates::front::kFactTranscript, flags, gates::bytesOf(body)}, payload);

  const std::string added = text.substr(offset);
  const std::string_view word = "investigate";
  const bool isSpelled = std::search(added.begin(), added.end(), word.begin(), word.end()) != added.end();
  check(!isSilent || !isSpelled, "a name that was appended is for Node");
  check(!isSilent || !forbidsCause || !(mayStateCause(added) || mayStateCause(*payload.field("last_assistant_message"))),
        "a cause that was stated is for Node");
  const bool isQuiet = !isSpelled && !gates::front::hasEscapedLetter(added) && !forbidsCause;
  check(isSilent || !isQuiet, "a transcript in which nothing happened holds");

  for (size_t cut = 0; cut < body.size(); cut++) {
    const std::string part = body.substr(0, cut);
    check(!gates::front::transcriptHolds({gates::front::kFactTranscript, flags, gates::bytesOf(part)}, payload), "a cut fact does not hold");
  }
}

}  // namespace fuzz
