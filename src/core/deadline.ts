import type { Env } from './env.ts'
import { GateError } from './errors.ts'

export const DEADLINE_NAME = 'GSTACK_SKILL_GATE_DEADLINE_MS'
/** The front's word to Node: how many milliseconds of the call it used up itself. */
export const SPENT_NAME = 'GSTACK_HOOK_SPENT_MS'

export const DEFAULT_DEADLINE_MS = 5_000
/** What a hook gives itself at the most, whatever the environment says. */
export const LONGEST_DEADLINE_MS = 20_000
/** Start-up of the hook and the write of its GATE_TIMEOUT marker. */
const MARGIN_MS = 5_000

/** Seconds that every registration gives a hook: the longest deadline and its margin. */
export const HOOK_TIMEOUT_S = Math.ceil((LONGEST_DEADLINE_MS + MARGIN_MS) / 1_000)

/** How much time a pass has left; a value that is passed down. */
export interface Deadline {
  readonly totalMs: number
  /** Milliseconds left, at least 0. */
  remaining(): number
  /** @throws GateError GATE_TIMEOUT when less than `neededMs` (default 1) is left for this step */
  check(step: string, neededMs?: number): void
}

/**
 * Starts the clock of one pass.
 *
 * @param nowMs a monotonic clock in milliseconds
 * @param startedMs when the pass began on that clock; process start-up counts
 */
export function startDeadline(totalMs: number, nowMs: () => number, startedMs = nowMs()): Deadline {
  const remaining = () => Math.max(0, startedMs + totalMs - nowMs())
  return {
    totalMs,
    remaining,
    check(step, neededMs = 1) {
      if (remaining() >= neededMs) return
      throw new GateError('GATE_TIMEOUT', `no time left for ${step} within ${String(totalMs)} ms`)
    },
  }
}

/** A positive number is clamped to 20,000 ms, anything else is the default of 5,000. */
export function deadlineMsFrom(env: Env): number {
  const asked = numberIn(env[DEADLINE_NAME])
  return asked > 0 ? Math.min(asked, LONGEST_DEADLINE_MS) : DEFAULT_DEADLINE_MS
}

/** Milliseconds that the front took before it became Node; 0 where there is no front. */
export const spentMsFrom = (env: Env): number => numberIn(env[SPENT_NAME])

function numberIn(text = ''): number {
  return /^\d+$/.test(text.trim()) ? Number(text) : 0
}
