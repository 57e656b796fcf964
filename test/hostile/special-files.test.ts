import { execFileSync } from 'node:child_process'
import { rmSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { mkdirSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { armed } from '../helpers/armed.ts'
import { test } from '../helpers/world.ts'

/** Puts a pipe that nobody writes to in the place of a file. */
function plantPipe(path: string): void {
  rmSync(path, { recursive: true, force: true })
  mkdirSync(dirname(path), { recursive: true })
  execFileSync('mkfifo', [path])
}

/** A hook that waits for such a pipe never ends: then it has no exit code. */
const KILL_WHEN_STUCK = { run: { killAfterMs: 12_000 } }

describe('a pipe never holds a call up, in the place of', () => {
  const ofTheSession = ['record.json', 'facts.json', 'lock', 'arming', 'last-check', 'kept.jsonl']
  for (const name of ofTheSession)
    test(`${name} of the session`, async ({ world }) => {
      const { repo, session } = await armed(world)
      plantPipe(join(session.stateFolder, name))
      repo.append('src/cart.js', 'fix\n')

      const answer = await session.hook('PostToolUse', KILL_WHEN_STUCK)

      expect(answer.exitCode).toBe(0)
      expect(`${answer.reason}${answer.stderr}`).not.toBe('')
    })

  for (const name of [
    'HEAD',
    'packed-refs',
    'refs/heads/main',
    'index',
    'info/attributes',
    'logs/HEAD',
    'FETCH_HEAD',
  ])
    test(`git’s ${name}`, async ({ world }) => {
      const { repo, session } = await armed(world)
      repo.append('src/cart.js', 'fix\n')
      plantPipe(repo.path(`.git/${name}`))

      const answer = await session.hook('PostToolUse', KILL_WHEN_STUCK)

      expect(answer.exitCode).toBe(0)
      expect(`${answer.reason}${answer.stderr}`).not.toBe('')
    })

  for (const name of ['src/cart.js', '.gitattributes', 'src/.gitattributes'])
    test(`${name} of the work tree`, async ({ world }) => {
      const { repo, session } = await armed(world)
      repo.append('src/price.js', 'fix\n')
      plantPipe(repo.path(name))

      const answer = await session.hook('PostToolUse', KILL_WHEN_STUCK)

      expect(answer).toMatchObject({ exitCode: 0, decision: 'block' })
      expect(answer.reason).toContain('src/price.js')
      expect(repo.read('src/price.js')).not.toContain('fix')
    })

  test('the transcript', async ({ world }) => {
    const { session } = await armed(world)
    const pipe = join(world.home, 'pipe.jsonl')
    plantPipe(pipe)

    const answer = await session.hook('PostToolUse', {
      ...KILL_WHEN_STUCK,
      payload: { transcript_path: pipe },
    })

    expect(answer.exitCode).toBe(0)
    expect(answer.stderr).toContain('GATE_TRANSCRIPT')
  })

  test('config.yaml, which then counts as off', async ({ world }) => {
    delete world.env['GSTACK_INVESTIGATE_GATE']
    world.repo('plain')
    plantPipe(join(world.stateRoot, 'config.yaml'))

    const answer = await world.session().loads('investigate').hook('PreToolUse', KILL_WHEN_STUCK)

    expect(answer).toMatchObject({ exitCode: 0, stdout: '' })
  })
})

test('a transcript without an end is told apart from a file', async ({ world }) => {
  const { session } = await armed(world)
  const endless = join(world.home, 'endless.jsonl')
  symlinkSync('/dev/zero', endless)

  const answer = await session.hook('PostToolUse', {
    ...KILL_WHEN_STUCK,
    payload: { transcript_path: endless },
  })

  expect(answer.exitCode).toBe(0)
  expect(answer.stderr).toContain('GATE_TRANSCRIPT')
})
