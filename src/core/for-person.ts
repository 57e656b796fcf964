/** What a person reads in a systemMessage, beside the markers. */

import { ERROR_CODES, type GateErrorCode } from './errors.ts'
import type { GateHook, Marker } from './marker.ts'

const GATE_NAMES: Readonly<Record<GateHook, string>> = {
  'investigate-gate': '/investigate gate',
  'ceo-review-gate': '/plan-ceo-review gate',
}

/** One line that says which gate speaks. */
export const forPerson = (hook: GateHook, text: string): string => `${GATE_NAMES[hook]}: ${text}`

/** An error marker in words: what happened, what became of the call, and what to do. */
export function errorText({ hook, fields }: Marker): string {
  const { code, why } = Object.fromEntries(fields) as { code: GateErrorCode; why: string }
  // The call that this one is about was blocked.
  const outcome = code === 'GATE_RESTORE_FAILED' ? '' : ' That call went through unchecked.'
  return forPerson(hook, `${code}: ${why.replace(/\.$/, '')}.${outcome} ${ERROR_CODES[code].fix}`)
}
