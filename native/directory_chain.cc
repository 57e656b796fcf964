#include "directory_chain.h"

namespace gates {

Status DirectoryChain::look(std::string_view path, const ScanClock& clock, Row& row) {
  const size_t parentSize = path.rfind('/') == std::string_view::npos ? 0 : path.rfind('/') + 1;
  const std::string_view parent = path.substr(0, parentSize);
  leaveUntil(parent);
  while (current_.size() < parent.size()) {
    if (Status status = descend(parent); !status.ok()) return status;
  }
  const PathKind kind = links_.empty() ? PathKind::kDirectory : links_.back().kind;
  const int fd = links_.empty() ? root_ : links_.back().fd.get();
  row = kind == PathKind::kDirectory ? statChild(fd, path.data() + parentSize, clock) : emptyRow(kind);
  return {};
}

void DirectoryChain::leaveUntil(std::string_view parent) {
  while (!links_.empty() && parent.substr(0, current_.size()) != current_) {
    current_.resize(links_.back().nameStart);
    links_.pop_back();
  }
}

/** `current_` ends in a slash, which makes room for the NUL byte that openat wants. */
Status DirectoryChain::descend(std::string_view parent) {
  const size_t nameStart = current_.size();
  const size_t end = parent.find('/', nameStart) + 1;
  const PathKind above = links_.empty() ? PathKind::kDirectory : links_.back().kind;
  const int aboveFd = links_.empty() ? root_ : links_.back().fd.get();
  current_.append(parent.substr(nameStart, end - nameStart));
  Link link{nameStart, Fd(), above};
  if (above == PathKind::kDirectory) {
    current_.back() = '\0';
    Status status = openChild(aboveFd, current_.c_str() + nameStart, link.fd, link.kind);
    current_.back() = '/';
    if (!status.ok()) return status;
  }
  links_.push_back(std::move(link));
  return {};
}

}  // namespace gates
