import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { claimCall, listStoodBack, type ClaimedCall } from '../../src/store/claims.ts'
import { statePathsFrom, type StatePaths } from '../../src/store/paths.ts'
import { temporaryDir } from '../helpers/temporary-dir.ts'

const [PLUGIN, SETTINGS] = ['plugin /opt/gates', 'settings /home/you/gates']
const newPaths = (): StatePaths => statePathsFrom({ GSTACK_STATE_ROOT: temporaryDir() }, '/nowhere')

const call = (id: string | undefined): ClaimedCall => ({
  session: 's1',
  hook: 'investigate-gate',
  event: id === undefined ? 'Stop' : 'PreToolUse',
  agent: undefined,
  call: id,
})

describe('a tool call', () => {
  test('belongs to the registration that is faster, and the other is remembered', () => {
    const paths = newPaths()

    expect(claimCall(paths, call('toolu_1'), PLUGIN)).toBe(true)
    expect(claimCall(paths, call('toolu_1'), SETTINGS)).toBe(false)
    expect(listStoodBack(paths)).toMatchObject([{ hook: 'investigate-gate', registration: SETTINGS }])
  })

  test('belongs to the same registration when it is asked again', () => {
    const paths = newPaths()

    expect([1, 2, 3].map(() => claimCall(paths, call('toolu_1'), SETTINGS))).toEqual([true, true, true])
    expect(listStoodBack(paths)).toEqual([])
  })

  test('is told apart by session, hook, event, agent and id', () => {
    const paths = newPaths()
    const first = call('toolu_1')
    claimCall(paths, first, PLUGIN)

    for (const other of [
      { ...first, session: 's2' },
      { ...first, hook: 'ceo-review-gate' },
      { ...first, event: 'PostToolUse' },
      { ...first, agent: 'a1' },
      { ...first, call: 'toolu_2' },
    ])
      expect(claimCall(paths, other, SETTINGS)).toBe(true)
  })
})

describe('a stop, which has no id', () => {
  /** What each of several registrations is told at each stop, in any order of speed, some of them absent at times. */
  const stops = fc.array(fc.shuffledSubarray([PLUGIN, SETTINGS, 'settings /elsewhere'], { minLength: 2 }), {
    maxLength: 12,
  })

  test('is answered by exactly one of those that are always there', () => {
    fc.assert(
      fc.property(fc.array(fc.boolean(), { maxLength: 12 }), (order) => {
        const paths = newPaths()
        for (const isPluginFirst of order) {
          const both = isPluginFirst ? [PLUGIN, SETTINGS] : [SETTINGS, PLUGIN]
          expect(both.filter((registration) => claimCall(paths, call(undefined), registration))).toHaveLength(
            1,
          )
        }
      }),
      { numRuns: 40 },
    )
  })

  test('is never answered by two, whichever of them miss one', () => {
    fc.assert(
      fc.property(stops, (asked) => {
        const paths = newPaths()
        for (const registrations of asked)
          expect(
            registrations.filter((registration) => claimCall(paths, call(undefined), registration)).length,
          ).toBeLessThan(2)
      }),
      { numRuns: 40 },
    )
  })

  test('goes through at most once when one that was always first is gone', () => {
    const paths = newPaths()
    for (let stop = 0; stop < 5; stop++) claimCall(paths, call(undefined), SETTINGS)
    claimCall(paths, call(undefined), PLUGIN)

    expect([1, 2, 3].map(() => claimCall(paths, call(undefined), PLUGIN))).toEqual([true, true, true])
  })
})

test('where no claim can be written, everybody answers', () => {
  const paths = newPaths()
  mkdirSync(paths.sessions, { recursive: true })
  writeFileSync(join(paths.sessions, '.claims'), 'a file of somebody else')

  expect(claimCall(paths, call('toolu_1'), PLUGIN)).toBe(true)
  expect(claimCall(paths, call('toolu_1'), SETTINGS)).toBe(true)
  expect(readdirSync(paths.sessions)).toEqual(['.claims'])
})
