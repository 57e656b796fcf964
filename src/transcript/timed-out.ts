/** What the client itself notes of hooks that it killed, and of calls that never ran. */

import type { GateHook } from '../core/marker.ts'
import { parseHookCommand } from '../core/registration.ts'
import { readEvents, type EventOf } from './event.ts'

export interface TimedOutHook {
  readonly line: number
  readonly event: string
  readonly hook: GateHook
  readonly callId: string
  /** Milliseconds since the epoch. */
  readonly startedMs: number
}

/**
 * @returns undefined for a hook that is not a gate's, or that was not killed at its timeout. Of a hook that ran after a call
 *   the client notes neither the timeout nor the command; such a kill is known only by the mark that the hook left
 */
export function timedOutHook(event: EventOf<'cancelled-hook'>): TimedOutHook | undefined {
  const hook = event.command === undefined ? undefined : parseHookCommand(event.command)?.hook
  if (!event.timedOut || (hook !== 'investigate-gate' && hook !== 'ceo-review-gate')) return undefined
  return {
    line: event.line,
    event: event.hookEvent,
    hook,
    callId: event.callId ?? '',
    startedMs: (event.atMs ?? 0) - (event.durationMs ?? 0),
  }
}

export const timedOutHooksIn = (lines: readonly string[]): readonly TimedOutHook[] =>
  lines.flatMap((text, line) =>
    text.includes('"hook_cancelled"')
      ? readEvents(text, line).flatMap((event) =>
          event.kind === 'cancelled-hook' ? (timedOutHook(event) ?? []) : [],
        )
      : [],
  )

/** Whether a call's result says that it was denied, rejected or interrupted before it ran. */
export const wasRefused = (lines: readonly string[], callId: string): boolean =>
  lines.some(
    (text, line) =>
      text.includes(callId) &&
      readEvents(text, line).some(
        (event) =>
          event.kind === 'result' &&
          event.callId === callId &&
          event.refused &&
          event.details?.['interrupted'] !== true,
      ),
  )
