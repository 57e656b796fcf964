/** The names, limits and codes that the front shares with this side, as the C++ header that the build compiles it with. */

import {
  CERTIFICATE_HEADER_BYTES,
  CERTIFICATE_KINDS,
  CERTIFICATE_LIMIT_BYTES,
  CERTIFICATE_MAGIC,
  CERTIFICATE_VERSION,
  FACT_TYPES,
  FORBIDS_CAUSE,
  PATH_FLAGS,
} from '../core/certificate.ts'
import { DEADLINE_NAME, DEFAULT_DEADLINE_MS, LONGEST_DEADLINE_MS, SPENT_NAME } from '../core/deadline.ts'
import { SCAN_NAME } from '../core/handed-scan.ts'
import { LONG_PAUSE_MS, PAYLOAD_SHAPE_LIMIT_BYTES, TRANSCRIPT_LIMIT_BYTES } from '../core/limits.ts'
import { HOOK_NAMES } from '../core/registration.ts'
import {
  DEFAULT_STATE_ROOT,
  FRONT_FOLDER,
  IN_FLIGHT_FOLDER,
  SESSIONS_FOLDER,
  STATE_ROOT_NAMES,
} from '../core/state-names.ts'
import { EDIT_TOOLS } from '../core/tools.ts'

export function frontHeader(): string {
  return `// Made by the build from src/entry/front-header.ts.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string_view>

namespace gates::front {

${[
  textList('kHookNames', HOOK_NAMES),
  textList('kStateRootNames', STATE_ROOT_NAMES),
  text('kDefaultStateRoot', DEFAULT_STATE_ROOT),
  text('kInFlightFolder', `${SESSIONS_FOLDER}/${IN_FLIGHT_FOLDER}`),
  text('kFrontFolder', `${SESSIONS_FOLDER}/${FRONT_FOLDER}`),
  textList('kEditTools', [...EDIT_TOOLS]),
  text('kDeadlineName', DEADLINE_NAME),
  text('kSpentName', SPENT_NAME),
  text('kScanName', SCAN_NAME),
  number('kDefaultDeadlineMs', DEFAULT_DEADLINE_MS),
  number('kLongestDeadlineMs', LONGEST_DEADLINE_MS),
  number('kTranscriptLimitBytes', TRANSCRIPT_LIMIT_BYTES),
  number('kPayloadLimitBytes', PAYLOAD_SHAPE_LIMIT_BYTES),
  number('kLongPauseMs', LONG_PAUSE_MS),
  text('kCertificateMagic', CERTIFICATE_MAGIC),
  number('kCertificateVersion', CERTIFICATE_VERSION),
  number('kCertificateHeaderBytes', CERTIFICATE_HEADER_BYTES),
  number('kCertificateLimitBytes', CERTIFICATE_LIMIT_BYTES),
  number('kForbidsCause', FORBIDS_CAUSE),
  ...Object.entries(CERTIFICATE_KINDS).map(([name, code]) => number(`kKind${capital(name)}`, code)),
  ...Object.entries(FACT_TYPES).map(([name, code]) => number(`kFact${capital(name)}`, code)),
  ...Object.entries(PATH_FLAGS).map(([name, flag]) => number(`kPath${capital(name)}`, flag)),
].join('\n')}

}  // namespace gates::front
`
}

const number = (name: string, value: number): string => `constexpr int64_t ${name} = ${String(value)};`

const text = (name: string, value: string): string =>
  `constexpr std::string_view ${name} = ${JSON.stringify(value)};`

const textList = (name: string, values: readonly string[]): string =>
  `constexpr std::string_view ${name}[] = {${values.map((value) => JSON.stringify(value)).join(', ')}};`

const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)
