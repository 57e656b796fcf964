#include "transcript.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../byte_reader.h"
#include "../file_io.h"
#include "front_names.h"
#include "words.h"

namespace gates::front {

namespace {

/** More than this is read by Node, which then knows a later offset. */
constexpr uint64_t kMostAppendedBytes = 1 << 20;
constexpr uint32_t kMostHeadBytes = 1 << 16;

bool readRange(int file, uint64_t from, size_t size, std::string& bytes) {
  bytes.resize(size);
  for (size_t filled = 0; filled < size;) {
    const ssize_t got = ::pread(file, bytes.data() + filled, size - filled, static_cast<off_t>(from + filled));
    if (got < 0 && errno == EINTR) continue;
    if (got <= 0) return false;
    filled += static_cast<size_t>(got);
  }
  return true;
}

}  // namespace

bool transcriptHolds(const Fact& fact, const Payload& payload) {
  ByteReader reader(fact.body);
  const std::string path(reader.text());
  const uint64_t dev = reader.u64();
  const uint64_t ino = reader.u64();
  const uint64_t offset = reader.u64();
  const uint32_t headBytes = reader.u32();
  const Sha1Digest head = reader.digest();
  std::vector<std::string_view> words;
  for (uint32_t left = reader.u32(); left > 0 && reader.isGood(); left--) words.push_back(reader.text());
  if (!reader.isWhole() || headBytes > kMostHeadBytes || headBytes > offset) return false;
  if (payload.field("transcript_path") != path) return false;

  const bool forbidsCause = (fact.flags & kForbidsCause) != 0;
  if (forbidsCause && mayStateCause(payload.field("last_assistant_message").value_or(""))) return false;

  // A fifo would hold the open up.
  const Fd file = openRetrying(AT_FDCWD, path.c_str(), O_RDONLY | O_NONBLOCK);
  struct stat found{};
  if (!file.isOpen() || ::fstat(file.get(), &found) != 0 || !S_ISREG(found.st_mode)) return false;
  const uint64_t size = static_cast<uint64_t>(found.st_size);
  if (static_cast<uint64_t>(found.st_dev) != dev || static_cast<uint64_t>(found.st_ino) != ino) return false;
  if (size < offset || size > static_cast<uint64_t>(kTranscriptLimitBytes) || size - offset > kMostAppendedBytes) return false;

  std::string bytes;
  if (!readRange(file.get(), 0, headBytes, bytes) || sha1(bytesOf(bytes)) != head) return false;
  if (!readRange(file.get(), offset, static_cast<size_t>(size - offset), bytes)) return false;
  return !maySpell(bytes, words) && !(forbidsCause && mayStateCause(bytes));
}

}  // namespace gates::front
