#include "index_encode.h"

#include <algorithm>

namespace gates {

namespace {

constexpr size_t kStatSize = 40;
constexpr size_t kSizeOffset = 36;
constexpr uint32_t kFlagExtended = 0x4000;

/** Either an entry that stays, or one to put. */
struct Slot {
  const IndexEntry* old = nullptr;
  const NewEntry* put = nullptr;

  std::string_view path() const { return old != nullptr ? old->path : std::string_view(put->path); }
  unsigned stage() const { return old != nullptr ? old->stage() : put->stage; }
  bool isExtended() const { return old != nullptr ? old->extendedFlags() != 0 : put->skipWorktree || put->intentToAdd; }
};

bool before(const Slot& left, const Slot& right) {
  const int order = left.path().compare(right.path());
  return order != 0 ? order < 0 : left.stage() < right.stage();
}

bool samePlace(const Slot& left, const Slot& right) {
  return left.path() == right.path() && left.stage() == right.stage();
}

std::vector<Slot> mergeSlots(const Index& index, const std::vector<NewEntry>& set, const std::vector<std::string>& remove) {
  std::vector<Slot> slots;
  slots.reserve(index.entries.size() + set.size());
  auto put = set.begin();
  auto gone = remove.begin();
  for (const IndexEntry& entry : index.entries) {
    const Slot old{&entry, nullptr};
    while (put != set.end() && before({nullptr, &*put}, old)) slots.push_back({nullptr, &*put++});
    while (gone != remove.end() && *gone < entry.path) gone++;
    const bool isReplaced = put != set.end() && samePlace({nullptr, &*put}, old);
    const bool isRemoved = gone != remove.end() && *gone == entry.path;
    if (!isReplaced && !isRemoved) slots.push_back(old);
  }
  while (put != set.end()) slots.push_back({nullptr, &*put++});
  return slots;
}

/** Whether an entry of this path and stage exists, or with a slash behind it, a path below it. */
bool hasEntry(const std::vector<Slot>& slots, std::string_view path, unsigned stage, bool isDirectory) {
  const std::string wanted = isDirectory ? std::string(path) + '/' : std::string(path);
  auto slot = std::lower_bound(slots.begin(), slots.end(), wanted,
                               [](const Slot& left, const std::string& right) { return left.path() < right; });
  for (; slot != slots.end() && slot->path().substr(0, wanted.size()) == wanted; slot++) {
    if (!isDirectory && slot->path().size() != wanted.size()) return false;
    if (slot->stage() == stage) return true;
  }
  return false;
}

Status checkNewEntries(const std::vector<NewEntry>& set) {
  for (size_t i = 0; i < set.size(); i++) {
    const bool isNamed = !set[i].path.empty() && set[i].path.find('\0') == std::string::npos;
    const bool isTwice = i > 0 && samePlace({nullptr, &set[i - 1]}, {nullptr, &set[i]});
    if (!isNamed || isTwice || set[i].stage > 3) return fail(EINVAL, "index-entry", set[i].path);
  }
  return {};
}

/** git refuses an index in which a path is a file and a directory at once. */
Status checkDirectoryConflicts(const std::vector<Slot>& slots, const std::vector<NewEntry>& set) {
  for (const NewEntry& entry : set) {
    if (hasEntry(slots, entry.path, entry.stage, true)) return fail(EEXIST, "index-entry", entry.path);
    for (size_t slash = entry.path.find('/'); slash != std::string::npos; slash = entry.path.find('/', slash + 1)) {
      const std::string_view parent = std::string_view(entry.path).substr(0, slash);
      if (hasEntry(slots, parent, entry.stage, false)) return fail(EEXIST, "index-entry", parent);
    }
  }
  return {};
}

class Encoder {
 public:
  Encoder(uint32_t version, WrittenAt written) : version_(version), written_(written) {}

  std::string encode(const Index& index, const std::vector<Slot>& slots) {
    out_ = "DIRC";
    appendBe32(out_, version_);
    appendBe32(out_, static_cast<uint32_t>(slots.size()));
    for (const Slot& slot : slots) appendEntry(slot);
    for (const IndexExtension& extension : index.extensions) {
      // All others describe the old entries and are only caches.
      if (extension.name() != "REUC") continue;
      out_.append(extension.name());
      appendBe32(out_, static_cast<uint32_t>(extension.body.size));
      out_.append(extension.body.view());
    }
    const Sha1Digest digest = sha1(bytesOf(out_));
    out_.append(reinterpret_cast<const char*>(digest.data()), digest.size());
    return std::move(out_);
  }

 private:
  void appendEntry(const Slot& slot) {
    const size_t start = out_.size();
    if (slot.old != nullptr) appendOld(*slot.old);
    if (slot.put != nullptr) appendNew(*slot.put);
    if (version_ == 4) return appendCompressedPath(slot.path());
    out_.append(slot.path());
    // One to eight NUL bytes, so that the entry's size is a multiple of eight.
    out_.append(8 - (out_.size() - start) % 8, '\0');
  }

  void appendOld(const IndexEntry& entry) {
    const size_t start = out_.size();
    const bool isExtended = entry.extendedFlags() != 0;
    out_.append(reinterpret_cast<const char*>(entry.raw), 60);
    appendBe16(out_, (entry.flags() & ~kFlagExtended) | (isExtended ? kFlagExtended : 0));
    if (isExtended) appendBe16(out_, entry.extendedFlags());
    // A new index is younger than the entry, which hides that the entry was not to be trusted: see git's racy-git.txt.
    if (isRacy(entry)) std::fill_n(out_.begin() + static_cast<ptrdiff_t>(start + kSizeOffset), 4, '\0');
  }

  void appendNew(const NewEntry& entry) {
    out_.append(24, '\0');
    appendBe32(out_, entry.mode);
    out_.append(kStatSize - 28, '\0');
    out_.append(reinterpret_cast<const char*>(entry.oid.data()), entry.oid.size());
    const bool isExtended = entry.skipWorktree || entry.intentToAdd;
    const uint32_t length = static_cast<uint32_t>(std::min<size_t>(entry.path.size(), 0xfff));
    appendBe16(out_, (entry.assumeValid ? 0x8000u : 0u) | (isExtended ? kFlagExtended : 0u) | entry.stage << 12 | length);
    if (isExtended) appendBe16(out_, (entry.skipWorktree ? 0x4000u : 0u) | (entry.intentToAdd ? 0x2000u : 0u));
  }

  bool isRacy(const IndexEntry& entry) const {
    const int64_t seconds = entry.mtimeS();
    return seconds > written_.seconds || (seconds == written_.seconds && entry.mtimeNs() >= written_.nanoseconds);
  }

  void appendCompressedPath(std::string_view path) {
    const auto [left, right] = std::mismatch(previous_.begin(), previous_.end(), path.begin(), path.end());
    appendVarint(static_cast<size_t>(previous_.end() - left));
    out_.append(right, path.end());
    out_.push_back('\0');
    previous_ = path;
  }

  void appendVarint(size_t value) {
    uint8_t digits[10];
    size_t at = sizeof digits;
    digits[--at] = value & 127;
    while ((value >>= 7) != 0) digits[--at] = static_cast<uint8_t>(128 | (--value & 127));
    out_.append(reinterpret_cast<const char*>(digits + at), sizeof digits - at);
  }

  uint32_t version_;
  WrittenAt written_;
  std::string out_;
  std::string_view previous_;
};

}  // namespace

Status encodeIndex(const Index& index, std::vector<NewEntry> set, std::vector<std::string> remove, WrittenAt written,
                   std::string& bytes) {
  std::sort(set.begin(), set.end(),
            [](const NewEntry& left, const NewEntry& right) { return before({nullptr, &left}, {nullptr, &right}); });
  std::sort(remove.begin(), remove.end());
  if (Status status = checkNewEntries(set); !status.ok()) return status;
  const std::vector<Slot> slots = mergeSlots(index, set, remove);
  if (Status status = checkDirectoryConflicts(slots, set); !status.ok()) return status;
  const bool isExtended = std::any_of(slots.begin(), slots.end(), [](const Slot& slot) { return slot.isExtended(); });
  bytes = Encoder(index.version == 2 && isExtended ? 3 : index.version, written).encode(index, slots);
  return {};
}

}  // namespace gates
