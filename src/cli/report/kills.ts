/** Hooks that were killed, from the marks they left and from the client's own trace, filed before a report counts. */

import { startDeadline, type Deadline } from '../../core/deadline.ts'
import { GateError, messageOf } from '../../core/errors.ts'
import type { SessionId } from '../../core/ids.ts'
import { GATE_HOOKS, type GateHook } from '../../core/marker.ts'
import { gateOf, isHeld, type SessionRecord } from '../../core/record.ts'
import { findDeadPasses } from '../../store/in-flight.ts'
import type { StatePaths } from '../../store/paths.ts'
import { readRecord } from '../../store/record.ts'
import { linesOfTranscript } from '../../store/transcript-file.ts'
import { timedOutHooksIn, wasRefused, type TimedOutHook } from '../../transcript/timed-out.ts'
import type { CliContext } from '../command.ts'
import { elapsedMs } from '../../native/clock.ts'

const FILING_MS = 5_000
type Settling = { readonly paths: StatePaths; readonly now: () => Date; readonly deadline: Deadline }
/** What cannot be settled now is said and left to the next hook; the counts are shown all the same. */
export async function settleKills(
  paths: StatePaths,
  sessions: readonly SessionId[],
  context: CliContext,
): Promise<void> {
  const deadline = startDeadline(FILING_MS, elapsedMs)
  const call = { paths, now: () => new Date(), deadline, wasRefused }
  try {
    if (findDeadPasses(paths).length > 0)
      await (await import('../../effects/finish-killed.ts')).finishKilledPasses(call)
    for (const session of sessions) await fileTraced(call, session)
  } catch (error) {
    if (!(error instanceof GateError)) throw error
    context.stderr(`a killed hook could not be settled: ${error.code} ${messageOf(error)}\n`)
  }
}

async function fileTraced(call: Settling, session: SessionId): Promise<void> {
  const record = readRecord(call.paths, session)
  const traced = record === undefined ? [] : tracedKills(record)
  if (record === undefined || traced.length === 0) return
  const { fileTimedOut } = await import('../../effects/file-timed-out.ts')
  for (const hook of GATE_HOOKS)
    await fileTimedOut(call, { session, hook, kills: inOpenRun(record, hook, traced) })
}

function tracedKills({ transcript }: SessionRecord): readonly TimedOutHook[] {
  return transcript === undefined ? [] : timedOutHooksIn(linesOfTranscript(transcript))
}

function inOpenRun(
  record: SessionRecord,
  hook: GateHook,
  kills: readonly TimedOutHook[],
): readonly TimedOutHook[] {
  const run = gateOf(record, hook).runs.at(-1)
  if (run === undefined || !isHeld(run)) return []
  const firedMs = Date.parse(run.fired_at)
  return kills.filter((kill) => kill.hook === hook && kill.startedMs >= firedMs)
}
