/** One line per check, and the tally at the end. */

import { inspect, isDeepStrictEqual } from 'node:util'

export interface Checks {
  /** Holds when both are equal in depth; else the line is followed by both. */
  equal(title: string, actual: unknown, expected: unknown): void
  fail(title: string, why: string): void
  /** Prints `N passed, N failed`. */
  tally(): { readonly failed: number }
}

export function startChecks(print: (line: string) => void): Checks {
  let passed = 0
  let failed = 0

  const fail = (title: string, why: string): void => {
    failed += 1
    print(`FAILED  ${title}\n${why.replace(/^/gm, '        ')}`)
  }
  return {
    equal(title, actual, expected) {
      if (!isDeepStrictEqual(actual, expected)) {
        fail(title, `expected ${show(expected)}\ngot      ${show(actual)}`)
        return
      }
      passed += 1
      print(`ok      ${title}`)
    },
    fail,
    tally() {
      print(`${passed} passed, ${failed} failed`)
      return { failed }
    },
  }
}

const show = (value: unknown): string => inspect(value, { depth: 6, breakLength: 100 })
