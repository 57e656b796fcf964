import type { CertificateKind } from '../core/certificate.ts'
import type { Deadline } from '../core/deadline.ts'
import type { Env } from '../core/env.ts'
import type { GateHook, Marker } from '../core/marker.ts'
import type { FactSheet } from '../store/fact-sheet.ts'
import type { PassStart } from '../store/in-flight.ts'
import type { StatePaths } from '../store/paths.ts'
import type { HookPayload } from './payload.ts'

/** One call of a gate's hook, with everything it may know of the outside. */
export interface HookCall {
  readonly hook: GateHook
  readonly payload: HookPayload
  readonly env: Env
  readonly home: string
  readonly paths: StatePaths
  readonly deadline: Deadline
  readonly now: () => Date
  /** What this pass looks at, should it come to a certificate. */
  readonly sheet: FactSheet
  /** Another registration of this hook answers this very call, so this one does nothing. */
  readonly isTaken: () => Promise<boolean>
}

/** What a gate answers; undefined parts are left out of the output. */
export interface HookAnswer {
  /** Denies the call or holds the stop; the reason's first line is the blocked marker. */
  readonly block?: { readonly reason: string }
  /** Shown to the person, never to the model. */
  readonly systemMessages: readonly string[]
  /** Lines for stderr. */
  readonly notes: readonly string[]
  /** The facts of the call's sheet are those under which nothing is to do. */
  readonly holds?: CertificateKind
}

/** How the mark of this call's pass begins. */
export const passStartOf = ({ payload, hook, now }: HookCall): PassStart => ({
  session: payload.session,
  hook,
  event: payload.event,
  now: now(),
  ...(payload.callId === undefined
    ? {}
    : { call: { id: payload.callId, transcript: payload.transcriptPath } }),
})

export const NO_ANSWER: HookAnswer = { systemMessages: [], notes: [] }

/** A marker of this call. */
export const markerOf = (call: HookCall, event: Marker['event'], fields: Marker['fields']): Marker => ({
  hook: call.hook,
  event,
  session: call.payload.session,
  fields,
})
