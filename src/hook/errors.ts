import { startDeadline } from '../core/deadline.ts'
import { ERROR_CODES, messageOf, type GateError } from '../core/errors.ts'
import type { SessionId } from '../core/ids.ts'
import { errorMarker, type GateHook, type Marker } from '../core/marker.ts'
import { gateOf, withError, withGate } from '../core/record.ts'
import { leavePass } from '../store/in-flight.ts'
import type { StatePaths } from '../store/paths.ts'
import { announce, shownLines } from '../effects/announce.ts'
import { NO_ANSWER, type HookAnswer } from './call.ts'
import { elapsedMs } from '../native/clock.ts'

/** Time for filing an error, whatever is left of the call's own. */
const FILING_MS = 1_000

export interface ErrorPlace {
  readonly hook: GateHook
  /** undefined when the payload had no usable id: then there is no record. */
  readonly session: SessionId | undefined
  readonly event: string
  readonly paths: StatePaths
  readonly now: Date
}

/**
 * Files an error in the record, the trace log, stderr and systemMessage. What cannot be written is left out.
 *
 * A transcript error is filed once per session and hook; later calls only count as unchecked.
 */
export async function fileError(error: GateError, place: ErrorPlace): Promise<HookAnswer> {
  const marker = errorMarker(place, error.code, why(error))
  leaveQuietly(error, place, false)
  const filed = await fileInRecord(error, place)
  if (filed !== 'not') leaveQuietly(error, place, true)
  if (filed === 'known') return NO_ANSWER
  logQuietly(place, marker)
  const note = `gstack-skill-gates: ${error.code} ${why(error)}. The call was let through. ${ERROR_CODES[error.code].fix}`
  return { ...NO_ANSWER, systemMessages: shownLines([marker]), notes: [note] }
}

/** What the pass had begun, and an error that the record does not take, are left to the next pass. */
function leaveQuietly(error: GateError, place: ErrorPlace, isFiled: boolean): void {
  const { session, hook, event, now } = place
  if (session === undefined) return
  try {
    leavePass(place.paths, {
      session,
      hook,
      event,
      now,
      isFiled,
      error: { code: error.code, why: why(error) },
    })
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure
  }
}

async function fileInRecord(error: GateError, place: ErrorPlace): Promise<'news' | 'known' | 'not'> {
  const { session, paths, hook, now } = place
  if (session === undefined) return 'news'
  let filed: 'news' | 'known' = 'news'
  try {
    const { updateRecord } = await import('../store/record.ts')
    const deadline = startDeadline(FILING_MS, elapsedMs)
    await updateRecord({ paths, session, now, deadline }, (record) => {
      const gate = gateOf(record, hook)
      const isKnown =
        error.code === 'GATE_TRANSCRIPT' && gate.errors.some((known) => known.code === error.code)
      filed = isKnown ? 'known' : 'news'
      if (isKnown) return withGate(record, hook, { ...gate, unchecked: gate.unchecked + 1 })
      return withError(record, hook, { code: error.code, why: why(error), at: now, unchecked: 1 })
    })
  } catch (failure) {
    logQuietly(place, errorMarker(place, 'GATE_STATE', messageOf(failure)))
    return 'not'
  }
  return filed
}

/** An error must not hide behind the log that cannot be written either. */
function logQuietly(place: ErrorPlace, marker: Marker): void {
  try {
    announce({ paths: place.paths, hook: place.hook, now: () => place.now }, [marker])
  } catch (failure) {
    if (!(failure instanceof Error)) throw failure
  }
}

function why(error: GateError): string {
  const cause = error.cause === undefined ? '' : `: ${messageOf(error.cause)}`
  const text = messageOf(error)
  return (text.includes(messageOf(error.cause ?? '')) ? text : text + cause).slice(0, 500)
}
