/**
 * How a pass begins, and how it ends when it cannot end itself: one call to a slow disk can hang for longer than the whole
 * deadline, and no timer of Node's fires meanwhile. The client would then kill the hook, and nobody would be told.
 */

import { errorMarker } from '../core/marker.ts'
import { shownLines } from '../effects/announce.ts'
import { native } from '../native/binding.ts'
import { beginPass, type Pass } from '../store/in-flight.ts'
import { NO_ANSWER, passStartOf, type HookCall } from './call.ts'
import { formatAnswer } from './output.ts'
import { startWatchdog } from './watchdog.ts'

/** Time beyond the deadline in which a pass can still file its own GATE_TIMEOUT; the registration allows 5 seconds. */
const GRACE_MS = 2_500

/** The mark that is left tells the next pass what is to be finished and filed. */
export function startPass(call: HookCall): Pass {
  const { hook, payload, deadline } = call
  const pass = beginPass(call.paths, passStartOf(call))
  const why = `a step took longer than the whole deadline of ${String(deadline.totalMs)} ms, so the hook ended itself`
  const marker = errorMarker({ hook, session: payload.session }, 'GATE_TIMEOUT', why)
  const answer = { ...NO_ANSWER, systemMessages: shownLines([marker]) }
  const text = `${formatAnswer(payload.event, answer) ?? ''}\n`
  startWatchdog(native(), Math.ceil(deadline.remaining()) + GRACE_MS, text)
  return pass
}
