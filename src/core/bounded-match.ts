import { createContext, Script, type Context } from 'node:vm'
import { GateError } from './errors.ts'
import type { FirstMatch } from './contract.ts'

/**
 * Patterns of skill files run in a context of their own, because only there can the engine be stopped in the middle of
 * a match: a pattern such as `(a+)+$` would hold the session's stop for years.
 *
 * @param limitMs for one call, over all of its texts
 * @returns a function that throws GateError SKILL_CONTRACT_STATE_ERROR when the time is up
 */
export function boundedMatch(limitMs: number): FirstMatch {
  let context: Context | undefined
  return (pattern, flags, texts) => {
    context ??= createContext({})
    Object.assign(context, { pattern, flags, texts })
    try {
      return SEARCH.runInContext(context, { timeout: Math.max(1, Math.floor(limitMs)) }) as number
    } catch (error) {
      if (!isTimeout(error)) throw error
      throw new GateError(
        'SKILL_CONTRACT_STATE_ERROR',
        `the pattern ${JSON.stringify(pattern)} took over ${limitMs} ms`,
        { cause: error },
      )
    }
  }
}

const SEARCH = new Script('texts.findIndex((text) => new RegExp(pattern, flags).test(text))')

/** The error belongs to the other context, so it is no instance of this one's Error. */
const isTimeout = (error: unknown): boolean =>
  typeof error === 'object' &&
  error !== null &&
  'code' in error &&
  error.code === 'ERR_SCRIPT_EXECUTION_TIMEOUT'
