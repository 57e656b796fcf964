#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "../fd.h"
#include "../stat_row.h"
#include "payload.h"

/** The state root, below which no link is followed. */
namespace gates::front {

/**
 * The root that `store/paths.ts` takes.
 *
 * @returns none without a HOME that it needs, and for one with `.` or `..` in it, which that file resolves
 */
std::optional<std::string> stateRoot();

/** A variable of the environment; none when it is not set. */
std::optional<std::string_view> variable(const std::string& name);

/** Looks at a path below the root. @returns false when that cannot be done */
bool lookInState(const std::string& root, std::string_view path, bool& isThere, struct stat& found);

/** Opens a regular file of this user's below the root. */
Fd openInState(const std::string& root, std::string_view path);

/**
 * Whether no pass has left its mark in the folder of such marks.
 *
 * @param own name of a mark that does not count
 */
bool isNobodyAtWork(const std::string& root, std::string_view own);

/** A mark that this pass is at work, as `store/in-flight.ts` writes it; gone with the value. */
class InFlightMark {
 public:
  ~InFlightMark();
  /** @returns false when it could not be left */
  bool leave(const std::string& root, std::string_view hook, const Payload& payload);
  const std::string& name() const { return name_; }

 private:
  Fd folder_;
  std::string name_;
};

}  // namespace gates::front
