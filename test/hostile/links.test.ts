import {
  existsSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armed, CAUSE } from '../helpers/armed.ts'
import type { HookAnswer } from '../helpers/run-hook.ts'
import { test, type World } from '../helpers/world.ts'

/** A folder of the person's own with one file, which no hook may touch. */
function privateFolder(world: World) {
  const folder = join(world.home, 'private')
  mkdirSync(folder)
  const file = join(folder, 'notes.txt')
  writeFileSync(file, 'mine\n', { mode: 0o644 })
  const before = lstatSync(file)
  return {
    folder,
    file,
    expectUntouched() {
      const now = lstatSync(file)
      expect(readFileSync(file, 'utf8')).toBe('mine\n')
      expect([now.ino, now.mtimeMs, now.mode]).toEqual([before.ino, before.mtimeMs, before.mode])
      expect(readdirSync(folder)).toEqual(['notes.txt'])
    },
  }
}

/** What must hold whatever the hook decided: it ended well, and it did not stay silent about what it could not do. */
function expectAnswered(answers: readonly HookAnswer[]): void {
  for (const answer of answers) expect(answer.exitCode).toBe(0)
}

describe('a link planted in the state root is never written through:', () => {
  const folders = ['skill-gates', 'hooks', 'skill-gates/.in-flight']
  for (const name of folders)
    test(`${name}/ before the gate arms`, async ({ world }) => {
      const mine = privateFolder(world)
      const repo = world.repo('plain')
      const planted = join(world.stateRoot, name)
      mkdirSync(join(planted, '..'), { recursive: true })
      rmSync(planted, { recursive: true, force: true })
      symlinkSync(mine.folder, planted)
      const session = world.session({ cwd: repo.folder }).loads('investigate')

      const first = await session.arm()
      repo.append('src/cart.js', 'fix\n')
      const second = await session.check('PostToolUse')

      expectAnswered([first, second])
      mine.expectUntouched()
      expect(`${first.stderr}${second.stderr}`).toContain('GATE_STATE')
    })
})

test('a link in place of the list of undone commits keeps the commit, and says so', async ({ world }) => {
  const mine = privateFolder(world)
  const { repo, session } = await armed(world)
  symlinkSync(mine.folder, join(world.stateRoot, 'skill-gates', '.undone'))
  repo.append('src/cart.js', 'fix\n')
  repo.git('commit', '-qam', 'fix')
  const fix = repo.git('rev-parse', 'HEAD')

  const answer = await session.check('PostToolUse')

  mine.expectUntouched()
  expect(answer.stderr).toContain('GATE_STATE')
  expect(repo.git('rev-parse', 'HEAD')).toBe(fix)
})

describe('a link planted in the session directory is never written through:', () => {
  for (const name of ['record.json', 'facts.json', 'lock', 'arming', 'last-check', 'kept.jsonl'])
    test(`${name} that points at a file of the person`, async ({ world }) => {
      const mine = privateFolder(world)
      const { repo, session } = await armed(world)
      const planted = join(session.stateFolder, name)
      rmSync(planted, { force: true })
      symlinkSync(mine.file, planted)

      repo.append('src/cart.js', 'fix\n')
      const answers = [
        await session.check('PostToolUse'),
        await session.reads('src/cart.js').stop(`Root cause: ${CAUSE}`),
      ]

      expectAnswered(answers)
      mine.expectUntouched()
    })

  for (const name of ['kept', 'copies', 'scratch', 'conversion', 'roots'])
    test(`${name}/ that points at a folder of the person`, async ({ world }) => {
      const mine = privateFolder(world)
      const { repo, session } = await armed(world, 'dirty-start')
      const planted = join(session.stateFolder, name)
      if (existsSync(planted)) renameSync(planted, `${planted}.moved`)
      symlinkSync(mine.folder, planted)
      const before = repo.read('src/edited.js')

      repo.append('src/edited.js', 'fix\n')
      const answer = await session.check('PostToolUse')

      expectAnswered([answer])
      mine.expectUntouched()
      expect(`${before}fix\n${before}`).toContain(repo.read('src/edited.js'))
      expect(`${answer.stderr}${answer.reason}`).toMatch(/GATE_(STATE|RESTORE_FAILED)|put back/i)
    })

  test('the session directory itself', async ({ world }) => {
    const mine = privateFolder(world)
    const repo = world.repo('plain')
    const session = world.session({ cwd: repo.folder }).loads('investigate')
    mkdirSync(join(world.stateRoot, 'skill-gates'))
    symlinkSync(mine.folder, session.stateFolder)

    const answers = [await session.arm(), await session.check('PostToolUse')]

    expectAnswered(answers)
    mine.expectUntouched()
    expect(answers[0]?.stderr).toContain('GATE_STATE')
  })

  test('a trace log that points at a file of the person', async ({ world }) => {
    const mine = privateFolder(world)
    const repo = world.repo('plain')
    mkdirSync(join(world.stateRoot, 'hooks'))
    symlinkSync(mine.file, join(world.stateRoot, 'hooks', 'investigate-gate.log'))
    const session = world.session({ cwd: repo.folder }).loads('investigate')

    expectAnswered([await session.arm()])

    mine.expectUntouched()
  })

  test('a hard link to a file of the person in the record’s place', async ({ world }) => {
    const mine = privateFolder(world)
    const { repo, session } = await armed(world)
    rmSync(join(session.stateFolder, 'record.json'))
    linkSync(mine.file, join(session.stateFolder, 'record.json'))

    repo.append('src/cart.js', 'fix\n')
    expectAnswered([await session.check('PostToolUse')])

    expect(readFileSync(mine.file, 'utf8')).toBe('mine\n')
  })
})
