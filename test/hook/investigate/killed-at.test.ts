import { existsSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { armed, type Armed } from '../../helpers/armed.ts'
import { IS_LONG } from '../../helpers/long.ts'
import { test, type World } from '../../helpers/world.ts'

/** Steps of the addon that a check of this repository passes, in order. */
const STEPS = [
  'replace-write',
  'replace-written',
  'replace-exchange',
  'replace-exchanged',
  'keep-rename',
  'replace-kept',
  'remove-moved',
  'index-write',
  'index-prepared',
  'index-locked',
  'index-checked',
  'index-written',
]
/** A short run takes every fifth change of a file, and both ends. */
const pointsUpTo = (changes: number) =>
  Array.from({ length: changes }, (_, index) => index + 1).filter(
    (change) => IS_LONG || change % 5 === 1 || change === changes,
  )
const FIXES = ['fix of edited', 'fix of clean', 'fix of deleted', 'fix of both']

/** Every kind of restore: a dirty file, a clean one, one that was absent, one that is staged. */
function fix({ repo }: Armed): void {
  repo.write('src/edited.js', 'fix of edited\n')
  repo.write('src/clean.js', 'fix of clean\n')
  repo.write('src/deleted.js', 'fix of deleted\n')
  repo.write('src/both.js', 'fix of both\n')
  repo.git('add', 'src/both.js')
}

/** Nothing lost, git usable, the next check finishes, the kill is known. */
async function expectHealed(world: World, { repo, session }: Armed, before: unknown): Promise<void> {
  await session.check('PostToolUse')

  const kept = await world.run('sh', ['-c', `find '${session.stateFolder}' -type f -exec cat {} +`])
  const log = world.log().filter((line) => line.includes('code=GATE_KILLED'))
  expect(repo.snapshot()).toEqual(before)
  expect(repo.git('fsck', '--no-dangling')).toBe('')
  expect(existsSync(repo.path('.git/index.lock'))).toBe(false)
  for (const text of FIXES) expect(kept.stdout).toContain(text)
  expect(log).toHaveLength(1)
  expect((await session.check('PreToolUse')).stdout).toBe('')
}

async function countChanges(
  act: (run: { killPoint: string }) => Promise<{ stderr: string }>,
): Promise<number> {
  const { stderr } = await act({ killPoint: 'count' })
  return Number(/changes (\d+)/.exec(stderr)?.[1])
}

describe('a check killed at', () => {
  for (const step of STEPS) {
    test(`${step} is finished by the next one, and nothing is lost`, async ({ world }) => {
      const at = await armed(world, 'dirty-start')
      const before = at.repo.snapshot()
      fix(at)

      const killed = await at.session.hook('PostToolUse', { run: { killPoint: step } })

      expect(killed.exitCode).toBeUndefined()
      await expectHealed(world, at, before)
    })
  }

  test(
    'any change of a file of its own is finished by the next one',
    { timeout: 300_000 },
    async ({ world }) => {
      const counted = await armed(world, 'dirty-start')
      fix(counted)
      const changes = await countChanges((run) => counted.session.hook('PostToolUse', { run }))
      expect(changes).toBeGreaterThan(5)

      for (const change of pointsUpTo(changes)) {
        const at = await armed(world, 'dirty-start')
        const before = at.repo.snapshot()
        fix(at)

        const killed = await at.session.hook('PostToolUse', {
          run: { killPoint: `change:${String(change)}` },
        })
        await at.session.check('PostToolUse')

        expect(killed.exitCode, `change ${String(change)}`).toBeUndefined()
        expect(at.repo.snapshot(), `change ${String(change)}`).toEqual(before)
        expect((await at.session.check('PreToolUse')).decision, `change ${String(change)}`).toBeUndefined()
      }
    },
  )
})

test(
  'arming killed at any change of a file arms at the next call',
  { timeout: 300_000 },
  async ({ world }) => {
    const repo = world.repo('partially-staged')
    const before = repo.snapshot()
    const changes = await countChanges((run) =>
      world.session().loads('investigate').hook('PreToolUse', { run }),
    )
    expect(changes).toBeGreaterThan(5)

    for (const change of pointsUpTo(changes)) {
      const session = world.session().loads('investigate')
      const killed = await session.hook('PreToolUse', { run: { killPoint: `change:${String(change)}` } })
      await session.arm()
      repo.append('src/list.js', 'fix\n')

      const answer = await session.check('PostToolUse')

      expect(killed.exitCode, `change ${String(change)}`).toBeUndefined()
      expect(answer.decision, `change ${String(change)}: ${answer.stderr}`).toBe('block')
      expect(repo.snapshot(), `change ${String(change)}`).toEqual(before)
    }
  },
)
