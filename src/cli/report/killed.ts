/** Hooks that were killed left their work half done and uncounted; this ends both before anything is counted. */

import { startDeadline } from '../../core/deadline.ts'
import { gateOf, withGate, type SessionRecord } from '../../core/record.ts'
import { formatLogLine, type GateHook } from '../../core/marker.ts'
import { recoverKilledPasses } from '../../effects/recover.ts'
import type { StatePaths } from '../../store/paths.ts'
import { updateRecord } from '../../store/record.ts'
import { appendToLog } from '../../store/trace-log.ts'

const FILING_MS = 5_000

/**
 * Finishes what killed hooks left and files each as GATE_KILLED in its session's record and the trace log.
 *
 * @throws GateError GATE_NATIVE, GATE_STATE, GATE_LOCKED
 */
export async function fileKilledPasses(paths: StatePaths, now: Date): Promise<void> {
  for (const { session, hook, event } of recoverKilledPasses(paths, now)) {
    const why = `a ${event} hook was killed before it had answered`
    const deadline = startDeadline(FILING_MS, () => performance.now())
    await updateRecord({ paths, session, now, deadline }, (record) => withKilled(record, hook, why, now))
    const fields = Object.entries({ code: 'GATE_KILLED', why })
    appendToLog(paths.logs, hook, [formatLogLine({ hook, event: 'error', session, fields }, now)])
  }
}

function withKilled(record: SessionRecord, hook: GateHook, why: string, now: Date): SessionRecord {
  const gate = gateOf(record, hook)
  const error = { at: now.toISOString(), code: 'GATE_KILLED', why }
  return withGate(record, hook, { ...gate, errors: [...gate.errors, error], unchecked: gate.unchecked + 1 })
}
