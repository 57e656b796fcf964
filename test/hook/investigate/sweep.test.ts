import { existsSync, lutimesSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armed, armIn } from '../../helpers/armed.ts'
import type { Repo } from '../../helpers/repo.ts'
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

describe('a ref that keeps an undone commit, which no reflog does,', () => {
  /** A commit undone so many days ago, and whether its ref is still there when a gate has armed again. */
  async function isThere(world: World, days: number, prepare: (repo: Repo) => void): Promise<boolean> {
    const repo = world.repo('plain')
    repo.sh('git config core.logAllRefUpdates false; rm -r .git/logs')
    const { session } = await armIn(world, repo)
    repo.sh(
      'echo fix >> src/cart.js; git add -A; C=$(git commit-tree -m x -p HEAD $(git write-tree)); git reset -q --hard; git update-ref refs/heads/x $C',
    )
    const fix = repo.git('rev-parse', 'x')
    await session.check('PostToolUse')
    expect(repo.refs()).toContain(`${fix} commit\trefs/gstack-gates/undone/${fix}`)
    prepare(repo)
    age(join(world.stateRoot, 'skill-gates/.undone'), days)
    const folder = repo.path('.git/refs/gstack-gates')
    if (existsSync(folder)) age(folder, days)

    await armIn(world, repo)

    return repo.refs().includes('refs/gstack-gates/undone/')
  }
  const pack = (repo: Repo) => repo.sh('git pack-refs --all --prune')
  const nothing = () => undefined

  test.for([
    ['stays for 29 days', 29, nothing, true],
    ['is gone after 31', 31, nothing, false],
    ['stays for 29 days packed', 29, pack, true],
    ['is gone after 31 packed', 31, pack, false],
  ] as const)('%s', async ([, days, prepare, there], { world }) => {
    expect(await isThere(world, days, prepare)).toBe(there)
  })
})
