/**
 * The end of a pass that cannot end itself: one call to a slow disk can hang for longer than the whole deadline, and no timer
 * of Node's fires meanwhile. The client would then kill the hook, and nobody would be told.
 */

import { errorMarker, formatMarker } from '../core/marker.ts'
import type { Native } from '../native/binding.ts'
import type { HookCall } from './call.ts'
import { formatAnswer } from './output.ts'

/** Time beyond the deadline in which a pass can still file its own GATE_TIMEOUT; the registration allows 5 seconds. */
const GRACE_MS = 2_500

let running: Native | undefined

/** The mark that the pass has left tells the next one what is to be finished and filed. */
export function startWatchdog(call: HookCall, native: Native): void {
  const { hook, payload, deadline } = call
  const why = `a step took longer than the whole deadline of ${String(deadline.totalMs)} ms, so the hook ended itself`
  const marker = errorMarker({ hook, session: payload.session }, 'GATE_TIMEOUT', why)
  const answer = { systemMessages: [formatMarker(marker)], notes: [] }
  running = native
  native.startWatchdog(
    Math.ceil(deadline.remaining()) + GRACE_MS,
    `${formatAnswer(payload.event, answer) ?? ''}\n`,
  )
}

/** Before an answer is written: only one of the two may be. */
export function stopWatchdog(): void {
  running?.stopWatchdog()
}
