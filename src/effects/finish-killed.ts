import type { Deadline } from '../core/deadline.ts'
import { GateError, isSystemError } from '../core/errors.ts'
import { showPath } from '../core/ids.ts'
import { errorMarker, type Marker } from '../core/marker.ts'
import { gateOf, keyOfKill, knowsKill, withError } from '../core/record.ts'
import { findDeadPasses, removeTornMarks, type InFlight } from '../store/in-flight.ts'
import { keptDir } from '../store/kept.ts'
import { noteLate, type LateWork } from '../store/late.ts'
import { sessionDirOf, type StatePaths } from '../store/paths.ts'
import { updateRecord } from '../store/record.ts'
import { linesOfTranscript } from '../store/transcript-file.ts'
import { announce } from './announce.ts'
import { finishPass } from './recover.ts'

export interface Finishing {
  readonly paths: StatePaths
  readonly now: () => Date
  readonly deadline: Deadline
  /** Whether the transcript says that the call was denied or interrupted before it ran. */
  readonly wasRefused: (lines: readonly string[], callId: string) => boolean
}

/**
 * Finishes what passes of any session left that were killed or ended in an error. A kill is filed as GATE_KILLED with its
 * session and gate; what the pass had done waits there for the next check to tell. What cannot be finished now is left to
 * the next pass.
 *
 * @returns the lines that ride systemMessage
 */
export async function finishKilledPasses(finishing: Finishing): Promise<readonly string[]> {
  const { paths, now } = finishing
  const lines: string[] = []
  removeTornMarks(paths)
  for (const { mark, forget } of findDeadPasses(paths)) {
    const sessionDir = sessionDirOf(paths, mark.session)
    try {
      const work = finishPass(mark, sessionDir, now())
      lines.push(...(await fileEnd(finishing, mark, work)))
      noteLate(sessionDir, work)
      forget()
    } catch (error) {
      if (!(error instanceof GateError) && !isSystemError(error)) throw error
    }
  }
  return lines
}

/** Files how the pass ended, unless that is known or the call that it was asked about never ran. */
async function fileEnd(
  finishing: Finishing,
  mark: InFlight,
  work: readonly LateWork[],
): Promise<readonly string[]> {
  const { paths, now, deadline } = finishing
  const { session, hook, event, call } = mark
  if (mark.isFiled === true || wasNeverRun(finishing, mark)) return []
  const { code, why } = mark.error ?? { code: 'GATE_KILLED', why: whyOf(paths, mark, work) }
  const at = mark.at === undefined ? now() : new Date(mark.at)
  let news: readonly Marker[] = []
  await updateRecord({ paths, session, now: now(), deadline }, (record) => {
    const kill = { event, call: call?.id, startedMs: at.getTime() }
    if (knowsKill(gateOf(record, hook), kill)) return record
    news = [errorMarker({ hook, session }, code, why)]
    const key = call === undefined ? {} : { call: keyOfKill(event, call.id) }
    return withError(record, hook, { code, why, at, unchecked: 1, ...key })
  })
  return announce({ ...finishing, hook }, news)
}

/** A person who interrupts a call ends its hook, too. */
function wasNeverRun({ wasRefused }: Finishing, { event, call, error }: InFlight): boolean {
  if (event !== 'PreToolUse' || call === undefined || error !== undefined) return false
  return wasRefused(linesOfTranscript(call.transcript), call.id)
}

/** More than these are counted; the kept copies' ledger has them all. */
const NAMED_FILES = 5

function whyOf(paths: StatePaths, { session, event }: InFlight, work: readonly LateWork[]): string {
  const undone = work.flatMap((each) => (each.kind === 'undone' ? each.lines.slice(0, 1) : []))
  const files = work.flatMap((each) => (each.kind === 'put-back' ? showPath(each.path) : []))
  const more = files.length > NAMED_FILES ? ` and ${String(files.length - NAMED_FILES)} more` : ''
  const copies = `, copies are in ${keptDir(sessionDirOf(paths, session))}`
  return [
    `a ${event} hook was killed before it had answered`,
    ...undone,
    ...(files.length === 0
      ? []
      : [`it had put back ${files.slice(0, NAMED_FILES).join(', ')}${more}${copies}`]),
  ].join('; ')
}
