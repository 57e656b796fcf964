import { execFileSync } from 'node:child_process'
import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import { armIn } from '../../helpers/armed.ts'
import type { Repo } from '../../helpers/repo.ts'
import type { HookAnswer } from '../../helpers/run-hook.ts'
import { checkStep, copiesIn, expectStandard } from '../../helpers/standard.ts'
import { test, type World } from '../../helpers/world.ts'

const IS_ROOT = process.getuid?.() === 0
const ORDINARY_USER = 12345
const SETUP = "new_repo; mkdir lib; printf 'a\\n' > src/a.js; printf 'b\\n' > lib/b.js; save"

interface Ordinary {
  readonly repo: Repo
  readonly check: () => Promise<HookAnswer>
}

/** A session of a user whom permissions bind: root plays another one, and everybody else is one. */
async function armAsOrdinaryUser(world: World, setup: string): Promise<Ordinary> {
  const repo = await world.shellRepo(setup)
  if (!IS_ROOT) {
    const { session } = await armIn(world, repo)
    return { repo, check: () => session.check('PostToolUse') }
  }
  execFileSync('chown', ['-R', String(ORDINARY_USER), world.folder])
  chmodSync(world.folder, 0o755)
  const session = world.session({ cwd: repo.folder }).loads('investigate')
  const run = { run: { uid: ORDINARY_USER } }
  await session.hook('PreToolUse', run)
  return { repo, check: () => session.hook('PostToolUse', run) }
}

test('thousands of files that may not be read any more hold nothing up', async ({ world }) => {
  const many = `${SETUP}; for d in $(seq 10); do mkdir src/d$d; (cd src/d$d; touch $(seq 500)); done; save`
  const { repo, check } = await armAsOrdinaryUser(world, many)
  repo.sh('chmod 0 src/d*/*; echo fix >> lib/b.js')

  const answer = await check()

  expect(answer.reason + answer.stderr).toContain('lib/b.js')
  expect(answer.reason).not.toContain('src/')
  expect(repo.read('lib/b.js')).toBe('b\n')
})

describe('a file that may not be read any more', () => {
  test('is no change when only its permissions changed', async ({ world }) => {
    const { repo, check } = await armAsOrdinaryUser(world, SETUP)
    repo.mode('src/a.js', 0o000)

    expect((await check()).stdout).toBe('')
  })

  test('is named when it changed, and others are put back', async ({ world }) => {
    const { repo, check } = await armAsOrdinaryUser(world, SETUP)
    repo.append('src/a.js', 'fix\n')
    repo.append('lib/b.js', 'fix\n')
    repo.mode('src/a.js', 0o000)

    const answer = await check()

    expect(answer.reason).toContain('src/a.js (it may not be read now)')
    expect(repo.read('lib/b.js')).toBe('b\n')
    expect((await check()).stdout).toBe('')
  })

  test('since before the gate armed holds nothing up', async ({ world }) => {
    const { repo, check } = await armAsOrdinaryUser(world, `${SETUP}; echo user > src/a.js; chmod 0 src/a.js`)
    repo.append('lib/b.js', 'fix\n')

    const answer = await check()

    expect(answer.reason).toContain('lib/b.js')
    expect(repo.read('lib/b.js')).toBe('b\n')
  })

  test('because its folder may not be searched is named, and others are put back', async ({ world }) => {
    const { repo, check } = await armAsOrdinaryUser(world, SETUP)
    repo.append('lib/b.js', 'fix\n')
    repo.mode('src', 0o000)

    const answer = await check()

    expect(answer.reason).toContain('src/a.js (a parent is a link or no directory now')
    expect(repo.read('lib/b.js')).toBe('b\n')
    repo.mode('src', 0o755)
  })
})

test('a read-only file is put back and stays read-only', async ({ world }) => {
  const { repo, check } = await armAsOrdinaryUser(world, `${SETUP}; chmod 444 src/a.js`)
  repo.sh('chmod u+w src/a.js; echo fix >> src/a.js; chmod 444 src/a.js')

  const answer = await check()

  expect(answer.decision, answer.stderr).toBe('block')
  expect(repo.read('src/a.js')).toBe('a\n')
  expect(repo.permissions('src/a.js')).toBe('444')
})

test('a file in a read-only folder that is gone is named, and comes back once the folder is writable', async ({
  world,
}) => {
  const { repo, check } = await armAsOrdinaryUser(world, SETUP)
  repo.sh('rm src/a.js; chmod 555 src')

  const refused = await check()
  repo.mode('src', 0o755)
  const done = await check()

  expect(refused.reason).toContain('src/a.js (its directory cannot be written)')
  expect(done.decision).toBe('block')
  expect(repo.read('src/a.js')).toBe('a\n')
})

describe.runIf(IS_ROOT)('for root', () => {
  const canProtect = (): boolean => {
    try {
      execFileSync('sh', ['-c', 'f=$(mktemp); chattr +i $f && chattr -i $f; code=$?; rm $f; exit $code'], {
        stdio: 'pipe',
      })
      return true
    } catch {
      return false
    }
  }

  describe.runIf(IS_ROOT && canProtect())('chattr', () => {
    for (const [name, target, flag] of [
      ['an immutable file', 'src/a.js', 'i'],
      ['an append-only file', 'src/a.js', 'a'],
      ['a file in an immutable folder', 'src', 'i'],
    ] as const) {
      test(`${name} is named and stays, and others are put back`, async ({ world }) => {
        const { repo, session } = await armIn(world, await world.shellRepo(SETUP))
        repo.sh(`echo fix >> src/a.js; echo fix >> lib/b.js; chattr +${flag} ${target}`)
        try {
          const answer = await session.check('PostToolUse')

          expect(answer.reason).toContain('src/a.js (it is protected against changes)')
          expect(repo.read('src/a.js')).toBe('a\nfix\n')
          expect(readdirSync(repo.path('src'))).toEqual(['a.js'])
          expect(repo.read('lib/b.js')).toBe('b\n')
        } finally {
          repo.sh(`chattr -${flag} ${target}`)
        }
        expect((await session.check('PostToolUse')).decision).toBe('block')
        expect(repo.read('src/a.js')).toBe('a\n')
        expect(repo.status()).toBe('')
      })
    }
  })

  test('owner, group and permissions of a file stay', async ({ world }) => {
    const { repo, session } = await armIn(
      world,
      await world.shellRepo(`${SETUP}; chown 12345:54321 src/a.js; chmod 640 src/a.js`),
    )

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
      repo.append('src/a.js', 'fix\n'),
    )

    await expectStandard(step, ['src/a.js'])
    expect(statSync(repo.path('src/a.js'))).toMatchObject({ uid: 12345, gid: 54321 })
    expect(repo.permissions('src/a.js')).toBe('640')
  })
})

const XATTR = `
import os, sys
name, path, value = sys.argv[1:4]
os.setxattr(path, name, value.encode()) if value else sys.stdout.write(os.getxattr(path, name).decode())
`
const xattr = (name: string, file: string, value = '') =>
  execFileSync('python3', ['-c', XATTR, name, file, value], { stdio: 'pipe' }).toString()

const hasXattrs = (): boolean => {
  const file = join(mkdtempSync(join(tmpdir(), 'xattr-')), 'f')
  writeFileSync(file, '')
  try {
    xattr('user.note', file, 'x')
    return true
  } catch {
    return false
  } finally {
    rmSync(dirname(file), { recursive: true })
  }
}

test.runIf(hasXattrs())(
  'extended attributes stay on the file and go with the kept copy',
  async ({ world }) => {
    const { repo, session } = await armIn(world, await world.shellRepo(SETUP))
    xattr('user.note', repo.path('src/a.js'), 'hello')

    const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () =>
      repo.append('src/a.js', 'fix\n'),
    )

    await expectStandard(step, ['src/a.js'])
    expect(xattr('user.note', repo.path('src/a.js'))).toBe('hello')
    expect(xattr('user.note', copiesIn(step.answer.reason, session)[0] ?? '')).toBe('hello')
  },
)
