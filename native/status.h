#pragma once

#include <cerrno>
#include <string>
#include <string_view>
#include <utility>

namespace gates {

/** Codes of ours; they stand beside errno values, which are small. */
constexpr int kBadIndex = 10'000;
constexpr int kBadTable = 10'001;
constexpr int kNotRegular = 10'002;
constexpr int kGitFailed = 10'003;

/** Success, or an error code with the step it came from and the path it is about. */
struct [[nodiscard]] Status {
  int code = 0;
  const char* step = "";
  std::string path;
  /** What a library said; empty for errno values. */
  std::string detail;

  bool ok() const { return code == 0; }
};

inline Status fail(int code, const char* step, std::string_view path = {}, std::string detail = {}) {
  return {code, step, std::string(path), std::move(detail)};
}

inline Status failErrno(const char* step, std::string_view path = {}) { return fail(errno, step, path); }

}  // namespace gates
