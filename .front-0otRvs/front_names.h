// Made by the build from src/entry/front-header.ts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gates::front {

constexpr std::string_view kHookNames[] = {"skill-route", "skill-contract", "investigate-gate", "ceo-review-gate"};
constexpr std::string_view kStateRootNames[] = {"GSTACK_STATE_ROOT", "GSTACK_HOME", "GSTACK_STATE_DIR"};
constexpr std::string_view kDefaultStateRoot = ".gstack";
constexpr std::string_view kInFlightFolder = "skill-gates/.in-flight";
constexpr std::string_view kFrontFolder = "skill-gates/.front";
constexpr std::string_view kEditTools[] = {"Edit", "Write", "MultiEdit", "NotebookEdit"};
constexpr int64_t kTranscriptLimitBytes = 33554432;
constexpr int64_t kPayloadLimitBytes = 1048576;
constexpr int64_t kLongPauseMs = 43200000;
constexpr std::string_view kCertificateMagic = "gsfc";
constexpr int64_t kCertificateVersion = 1;
constexpr int64_t kCertificateHeaderBytes = 16;
constexpr int64_t kCertificateLimitBytes = 4194304;
constexpr int64_t kForbidsCause = 1;
constexpr int64_t kKindIdle = 0;
constexpr int64_t kKindArmed = 1;
constexpr int64_t kFactVariable = 1;
constexpr int64_t kFactField = 2;
constexpr int64_t kFactPath = 3;
constexpr int64_t kFactTranscript = 4;
constexpr int64_t kFactBoot = 5;
constexpr int64_t kFactTree = 6;
constexpr int64_t kPathInState = 1;
constexpr int64_t kPathIdentity = 2;
constexpr int64_t kPathFollowed = 4;
constexpr int64_t kPathAbsent = 8;

}  // namespace gates::front
