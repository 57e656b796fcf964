import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { armed, armIn, type Armed } from '../helpers/armed.ts'
import { GIT_ENV } from '../helpers/git.ts'
import { IS_LONG } from '../helpers/long.ts'
import type { HookAnswer } from '../helpers/run-hook.ts'
import { test, type World } from '../helpers/world.ts'
import { codesOf, lostContents } from './passes.ts'

const ROUNDS = IS_LONG ? 40 : 3

/** What a hook may answer while others are at work: nothing, a block, or an error that says what held it up. */
function expectExplained(answers: readonly HookAnswer[]): void {
  for (const answer of answers) {
    expect(answer.exitCode).toBe(0)
    for (const code of codesOf(answer))
      expect(['GATE_LOCKED', 'GATE_TIMEOUT', 'GATE_RESTORE_FAILED'], answer.stderr).toContain(code)
  }
}

/** Runs a script again and again beside the hooks, until the test ends. */
function loop(folder: string, script: string): () => Promise<void> {
  const child = spawn('bash', ['-c', `while :; do ${script}; done`], {
    cwd: folder,
    env: GIT_ENV,
    stdio: 'ignore',
    detached: true,
  })
  const ended = new Promise<void>((resolve) => child.on('close', () => resolve()))
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null && child.pid !== undefined)
      process.kill(-child.pid, 'SIGKILL')
    await ended
  }
  onTestFinished(stop)
  return stop
}

/** The next checks, until one has nothing to say. */
async function settle({ session }: Armed): Promise<void> {
  for (let check = 0; check < 6; check += 1) if ((await session.check('PostToolUse')).stdout === '') return
}

const patient = (world: World) => {
  world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'
}

describe('sixteen hooks at once on one session', () => {
  test(
    'put a file back, lose no byte and no count, and say what held them up',
    { timeout: 180_000 },
    async ({ world }) => {
      patient(world)
      const at = await armed(world)
      const fixed = `${at.repo.read('src/cart.js')}fix\n`
      at.repo.write('src/cart.js', fixed)
      at.session.transcript.toolUse('toolu_shared', 'Bash', { command: ':' })

      const answers = await Promise.all(
        Array.from({ length: 16 }, () =>
          at.session.hook('PostToolUse', { id: 'toolu_shared', recorded: false }),
        ),
      )

      const blocks = answers.filter(({ decision }) => decision === 'block')
      const record = JSON.parse(readFileSync(join(at.session.stateFolder, 'record.json'), 'utf8')) as {
        gates: Record<string, { runs: { blocked: number }[]; unchecked: number }>
      }
      const gate = record.gates['investigate-gate']
      expectExplained(answers)
      expect(blocks.length).toBeLessThanOrEqual(1)
      expect(gate?.runs.at(-1)?.blocked).toBe(blocks.length)
      await settle(at)
      expect(at.repo.status()).toBe('')
      expect(lostContents(at, [fixed])).toEqual([])
    },
  )
})

describe('two sessions on one repository', () => {
  test(
    'that check at the same time lose nothing and block only for what changed',
    { timeout: 180_000 },
    async ({ world }) => {
      patient(world)
      const first = await armed(world)
      const second = await armIn(world, first.repo)
      const fixes: string[] = []

      for (let round = 0; round < ROUNDS; round += 1) {
        const fix = `fix ${String(round)}\n`
        fixes.push(fix)
        first.repo.write('src/cart.js', fix)
        const answers = await Promise.all([
          first.session.check('PostToolUse'),
          second.session.check('PostToolUse'),
        ])

        expectExplained(answers)
        expect(answers.filter(({ decision }) => decision === 'block').length).toBeGreaterThan(0)
        for (const { decision, reason } of answers)
          if (decision === 'block') expect(reason).toContain('src/cart.js')
      }

      expect(first.repo.status()).toBe('')
      expect(
        lostContents(
          { ...first, session: { ...first.session, stateFolder: join(world.stateRoot, 'skill-gates') } },
          fixes,
        ),
      ).toEqual([])
    },
  )
})

const BESIDE = [
  ['git add and git reset', 'echo n >> notes.txt; git add notes.txt; git reset -q notes.txt'],
  ['git commit of a document', 'echo n >> README.md; git commit -q -m docs README.md'],
  ['git rebase', 'echo n >> README.md; git commit -q -m docs README.md; git rebase -q --force-rebase HEAD~1'],
  ['git checkout of another branch and back', 'git checkout -q -B other; git checkout -q main'],
] as const

describe('a hook beside a loop of', () => {
  for (const [name, script] of BESIDE)
    test(
      `${name} puts fixes back, loses nothing and leaves no lock`,
      { timeout: 300_000 },
      async ({ world }) => {
        patient(world)
        const at = await armed(world)
        const original = at.repo.read('src/cart.js')
        const fixes: string[] = []
        const stop = loop(at.repo.folder, script)

        for (let round = 0; round < ROUNDS; round += 1) {
          const fix = `fix ${String(round)}\n`
          at.repo.write('src/cart.js', fix)
          const answer = await at.session.check('PostToolUse')
          // What a check left, because git was at work, the next round writes over.
          if (at.repo.read('src/cart.js') !== fix) fixes.push(fix)
          expectExplained([answer])
          if (answer.decision === 'block') expect(answer.reason).toMatch(/src\/cart\.js|another git|Undone/)
        }
        await stop()
        await world.run('find', [at.repo.path('.git'), '-name', '*.lock', '-delete'])
        await settle(at)

        expect(at.repo.read('src/cart.js')).toBe(original)
        expect(lostContents(at, fixes)).toEqual([])
        expect(at.repo.git('fsck', '--no-dangling')).toBe('')
      },
    )
})

/** Kept copies that are whole versions of the editor's. */
function keptVersions({ session }: Armed): string[] {
  const folder = join(session.stateFolder, 'kept')
  const texts = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'))
  return texts.filter((text) => /^version \d+\n$/.test(text))
}

const SAVES = 'n=$((n+1)); echo "version $n" > .cart.swp; mv .cart.swp src/cart.js; sleep 0.15'

describe('a file that somebody else writes meanwhile', () => {
  test(
    'by an editor that saves by rename: each version that a check displaced is a kept copy',
    { timeout: 180_000 },
    async ({ world }) => {
      patient(world)
      const at = await armed(world)
      const stop = loop(at.repo.folder, SAVES)

      const answers: HookAnswer[] = []
      for (let round = 0; round < ROUNDS; round += 1) answers.push(await at.session.check('PostToolUse'))
      await stop()
      await settle(at)

      const displaced = answers.filter(({ reason }) => reason.includes('what it held is kept in')).length
      expectExplained(answers)
      expect(keptVersions(at).length).toBeGreaterThanOrEqual(displaced)
      expect(at.repo.read('src/cart.js')).toBe(at.repo.committed('src/cart.js'))
    },
  )

  test(
    'by a watcher that rewrites it: stops go through after three blocks in a row',
    { timeout: 180_000 },
    async ({ world }) => {
      patient(world)
      const at = await armed(world)
      const stop = loop(at.repo.folder, 'date +%N > src/cart.js; sleep 0.05')

      const answers: HookAnswer[] = []
      for (let round = 0; round < 5; round += 1) answers.push(await at.session.stop())
      await stop()

      expectExplained(answers)
      expect(answers.at(-1)?.decision).toBeUndefined()
    },
  )
})
