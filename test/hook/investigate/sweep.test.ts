import { existsSync, lutimesSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armed, armIn } from '../../helpers/armed.ts'
import { test, type World } from '../../helpers/world.ts'

const DAY_MS = 24 * 3_600_000

function age(folder: string, days: number): void {
  const time = new Date(Date.now() - days * DAY_MS)
  for (const path of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lutimesSync(join(folder, path), time, time)
  lutimesSync(folder, time, time)
}

/** A session of so many days ago, with or without a kept copy, and whether the next arming sweeps it. */
async function isSwept(world: World, days: number, withCopy: boolean): Promise<boolean> {
  const { repo, session } = await armed(world)
  if (withCopy) {
    repo.append('src/cart.js', 'fix\n')
    await session.check('PostToolUse')
  }
  age(session.stateFolder, days)

  await armIn(world, repo)

  return !existsSync(session.stateFolder)
}

describe('when a gate arms, the folder of a session is swept', () => {
  const cases: readonly [number, boolean, boolean][] = [
    [6, false, false],
    [8, false, true],
    [8, true, false],
    [29, true, false],
    [31, true, true],
  ]
  for (const [days, withCopy, swept] of cases) {
    test(`${swept ? 'yes' : 'no'}: untouched for ${String(days)} days, ${withCopy ? 'with' : 'without'} a kept copy`, async ({
      world,
    }) => {
      expect(await isSwept(world, days, withCopy)).toBe(swept)
    })
  }

  test('only then: a check sweeps nothing', async ({ world }) => {
    const old = await armed(world)
    const { session } = await armIn(world, old.repo)
    age(old.session.stateFolder, 8)

    await session.check('PreToolUse')

    expect(existsSync(old.session.stateFolder)).toBe(true)
  })
})
