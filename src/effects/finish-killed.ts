import type { Deadline } from '../core/deadline.ts'
import { errorMarker } from '../core/marker.ts'
import { withError } from '../core/record.ts'
import { keptDir } from '../store/kept.ts'
import { sessionDirOf, type StatePaths } from '../store/paths.ts'
import { updateRecord } from '../store/record.ts'
import { announce } from './announce.ts'
import { recoverKilledPasses, type KilledPass } from './recover.ts'

/**
 * Finishes what killed passes of any session left, and files each as GATE_KILLED with its session and gate.
 *
 * @returns the lines that ride systemMessage
 * @throws GateError GATE_NATIVE, GATE_STATE, GATE_LOCKED
 */
export async function finishKilledPasses(call: {
  readonly paths: StatePaths
  readonly now: () => Date
  readonly deadline: Deadline
}): Promise<readonly string[]> {
  const lines: string[] = []
  for (const killed of recoverKilledPasses(call.paths, call.now())) {
    const { session, hook } = killed
    const why = whyOf(call.paths, killed)
    await updateRecord({ paths: call.paths, session, now: call.now(), deadline: call.deadline }, (record) =>
      withError(record, hook, { code: 'GATE_KILLED', why, at: call.now(), unchecked: 1 }),
    )
    lines.push(...announce({ ...call, hook }, [errorMarker({ hook, session }, 'GATE_KILLED', why)]))
  }
  return lines
}

function whyOf(paths: StatePaths, { session, event, files }: KilledPass): string {
  const why = `a ${event} hook was killed before it had answered`
  if (files === 0) return why
  return `${why}; it was putting back ${String(files)} files, copies are in ${keptDir(sessionDirOf(paths, session))}`
}
