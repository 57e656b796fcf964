#include "ident.h"

#include "sha1.h"

namespace gates {

namespace {

constexpr size_t kNone = std::string_view::npos;
constexpr char kMasked[] = "$#";
constexpr size_t kPieceBytes = size_t{1} << 20;

/** End of `$Id: ... $` that starts at a dollar sign, one past its last one; kNone when a line or the text ends first. */
size_t endOfKeyword(std::string_view text, size_t dollar) {
  const size_t end = text.find('$', dollar + 4);
  const size_t line = text.find('\n', dollar + 4);
  return end == kNone || line < end ? kNone : end + 1;
}

/** A space inside the value is another version control system's, and left alone. */
bool isForeign(std::string_view keyword) {
  const std::string_view value = keyword.substr(5, keyword.size() > 6 ? keyword.size() - 6 : 0);
  const size_t space = value.find(' ');
  return space != kNone && space + 1 < value.size();
}

bool startsAt(std::string_view text, size_t at, std::string_view word) { return text.substr(at, word.size()) == word; }

/** End of the keyword to expand at a dollar sign, kNone when there is none. */
size_t endToExpand(std::string_view text, size_t dollar) {
  if (startsAt(text, dollar, "$Id$")) return dollar + 4;
  if (!startsAt(text, dollar, "$Id:")) return kNone;
  const size_t end = endOfKeyword(text, dollar);
  return end == kNone || isForeign(text.substr(dollar, end - dollar)) ? kNone : end;
}

size_t endToCollapse(std::string_view text, size_t dollar) {
  return startsAt(text, dollar, "$Id:") ? endOfKeyword(text, dollar) : kNone;
}

/** @param put takes text piece by piece until it returns false */
template <typename EndOf, typename Put>
void replaceKeywords(std::string_view text, EndOf endOf, std::string_view replacement, Put put) {
  size_t done = 0;
  for (size_t dollar = text.find('$'); dollar != kNone;) {
    const size_t end = endOf(text, dollar);
    if (end != kNone) {
      if (!put(text.substr(done, dollar - done)) || !put(replacement)) return;
      done = end;
    }
    dollar = text.find('$', end == kNone ? dollar + 1 : end);
  }
  put(text.substr(done));
}

auto appendTo(std::string& out) {
  return [&out](std::string_view piece) { return out.append(piece), true; };
}

std::string expanded(Bytes blob) {
  const Sha1Digest id = blobId(blob);
  return "$Id: " + toHex(id.data(), id.size()) + " $";
}

}  // namespace

std::string expandIdent(Bytes blob) {
  std::string out;
  replaceKeywords(blob.view(), endToExpand, expanded(blob), appendTo(out));
  return out;
}

Status expandIdentInto(Bytes blob, const std::function<Status(Bytes)>& take) {
  Status status;
  std::string piece;
  const auto flush = [&] {
    status = take(bytesOf(piece));
    piece.clear();
    return status.ok();
  };
  replaceKeywords(blob.view(), endToExpand, expanded(blob), [&](std::string_view text) {
    if (text.size() < kPieceBytes) {
      piece.append(text);
      return piece.size() < kPieceBytes || flush();
    }
    if (flush()) status = take(bytesOf(text));
    return status.ok();
  });
  if (status.ok()) flush();
  return status;
}

std::string collapseIdent(std::string_view text) {
  std::string out;
  out.reserve(text.size());
  replaceKeywords(text, endToCollapse, "$Id$", appendTo(out));
  return out;
}

std::string DollarMask::hide(std::string_view text) {
  std::string masked(text);
  for (size_t at = masked.find_first_of(kMasked); at != kNone; at = masked.find_first_of(kMasked, at + 1)) {
    isDollar_.push_back(masked[at] == '$');
    masked[at] = '#';
  }
  return masked;
}

void DollarMask::reveal(std::string& text) const {
  size_t at = text.find('#');
  for (size_t i = 0; i < isDollar_.size() && at != kNone; i++, at = text.find('#', at + 1)) {
    if (isDollar_[i]) text[at] = '$';
  }
}

}  // namespace gates
