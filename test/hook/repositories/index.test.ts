import { describe, expect } from 'vitest'
import { test } from '../../helpers/world.ts'
import { BASE, expectHeld, guard, indexFile, STAGED_FIX } from './guarded.ts'

describe('an index of version', () => {
  test.for([
    [2, ''],
    [3, '; git update-index --skip-worktree src/b.js'],
    [4, '; git update-index --index-version 4'],
  ] as const)('%i is guarded and keeps its version', async ([version, more], { world }) => {
    const guarded = await guard(world, BASE + more)
    expect(indexFile(guarded.repo).version).toBe(version)

    await expectHeld(guarded, STAGED_FIX)

    expect(indexFile(guarded.repo).version).toBe(version)
  })
})

describe('work that the user has in the index', () => {
  test('and in the file besides comes back, each where it was', async ({ world }) => {
    const guarded = await guard(
      world,
      `${BASE}; seq 1 12 > src/a.js; save numbers; sed -i 1s/1/staged/ src/a.js; git add src/a.js; sed -i 12s/12/unstaged/ src/a.js`,
    )

    await expectHeld(guarded, 'sed -i 6s/6/fix/ src/a.js; git add src/a.js')

    expect(guarded.repo.status()).toBe('MM src/a.js')
  })

  test('as an intent to add stays an intent', async ({ world }) => {
    const guarded = await guard(world, `${BASE}; echo new > src/new.js; git add -N src/new.js`)

    await expectHeld(guarded, 'echo fix >> src/new.js; git add src/new.js', ['src/new.js'])

    expect(guarded.repo.read('src/new.js')).toBe('new\n')
    expect(guarded.repo.status()).toBe(' A src/new.js')
  })

  test('as an intent to add of another file stays when that one goes back', async ({ world }) => {
    const guarded = await guard(world, `${BASE}; echo new > src/new.js; git add -N src/new.js`)

    await expectHeld(guarded, STAGED_FIX)

    expect(guarded.repo.status()).toBe(' A src/new.js')
  })

  test('as a conflict comes back with its stages', async ({ world }) => {
    const guarded = await guard(
      world,
      `${BASE}; git checkout -qb other; echo theirs > src/a.js; save; git checkout -q main; echo ours > src/a.js; save; git merge -q other >/dev/null || true`,
    )

    await expectHeld(guarded, 'echo mine > src/a.js; git add src/a.js; echo fix >> src/b.js', [
      'src/a.js',
      'src/b.js',
    ])

    expect(guarded.repo.git('ls-files', '-u').split('\n')).toHaveLength(3)
    expect(guarded.repo.status()).toBe('UU src/a.js')
  })

  test('comes back when the agent deletes the index file', async ({ world }) => {
    const guarded = await guard(world, `${BASE}; echo staged > src/b.js; git add src/b.js`)
    const before = guarded.repo.index()
    guarded.repo.sh('rm .git/index')

    const answer = await guarded.session.check('PostToolUse')

    expect(answer.decision, answer.stderr).toBe('block')
    expect(guarded.repo.index()).toContain(before.split('\0').find((line) => line.endsWith('src/b.js')))
    expect(guarded.repo.git('fsck', '--no-dangling')).toBe('')
  })
})

describe('a file that git does not look at', () => {
  const FLAGS = [
    ['assume-unchanged', 'h'],
    ['skip-worktree', 'S'],
  ] as const

  test.for(FLAGS)('because of %s is compared all the same', async ([flag, letter], { world }) => {
    const guarded = await guard(world, `${BASE}; git update-index --${flag} src/a.js`)

    await expectHeld(guarded, 'echo fix >> src/a.js')

    expect(guarded.repo.git('ls-files', '-v', 'src/a.js')).toBe(`${letter} src/a.js`)
  })

  test.for(FLAGS)('because of %s keeps the flag when its entry goes back', async ([flag], { world }) => {
    const guarded = await guard(world, `${BASE}; git update-index --${flag} src/a.js`)

    await expectHeld(
      guarded,
      `git update-index --no-${flag} src/a.js; ${STAGED_FIX}; git update-index --${flag} src/a.js`,
    )
  })

  test.for(FLAGS)('because the agent set %s is compared all the same', async ([flag], { world }) => {
    const guarded = await guard(world, BASE)

    await expectHeld(guarded, `git update-index --${flag} src/a.js; echo fix >> src/a.js`)
  })

  test.for(FLAGS)('because of %s keeps what the user had changed in it', async ([flag], { world }) => {
    const guarded = await guard(
      world,
      `${BASE}; git update-index --${flag} src/a.js; echo local settings >> src/a.js`,
    )

    await expectHeld(guarded, 'echo fix >> src/a.js')

    expect(guarded.repo.read('src/a.js')).toBe('a\nlocal settings\n')
  })

  test.for(FLAGS)('because of %s is put back when it is deleted', async ([flag], { world }) => {
    const guarded = await guard(world, `${BASE}; git update-index --${flag} src/a.js`)

    await expectHeld(guarded, 'rm src/a.js')
  })

  test.for(FLAGS)('is nobody’s business when only %s changes', async ([flag], { world }) => {
    const { repo, session } = await guard(world, BASE)
    repo.sh(`git update-index --${flag} src/a.js`)
    const acted = repo.snapshot()

    const answer = await session.check('PostToolUse')

    expect(answer.stdout + answer.stderr).toBe('')
    expect(repo.snapshot()).toEqual(acted)
  })
})

describe('an index with a cache of git', () => {
  test('of untracked files is put back without it, and git makes a new one', async ({ world }) => {
    const guarded = await guard(
      world,
      `${BASE}; git config core.untrackedCache true; git update-index --force-untracked-cache; echo n > untracked; git status >/dev/null`,
    )
    expect(indexFile(guarded.repo).extensions).toContain('UNTR')

    const { after } = await expectHeld(guarded, `${STAGED_FIX}; echo n > other`)

    expect(after.status).toBe('?? other\n?? untracked')
    guarded.repo.git('update-index', '--refresh')
    guarded.repo.git('add', '-A')
    expect(indexFile(guarded.repo).extensions).toContain('UNTR')
  })

  test('of a file system monitor does not hide the change, and git asks the monitor anew', async ({
    world,
  }) => {
    // The monitor says that nothing ever changes but what the test tells.
    const hook = `printf '#!/bin/sh\\nprintf token\\\\\\\\0\\ncat .git/changed 2>/dev/null | tr "\\\\n" "\\\\0"\\n' > .git/monitor; chmod +x .git/monitor`
    const guarded = await guard(
      world,
      `${BASE}; ${hook}; git config core.fsmonitor "$PWD/.git/monitor"; git config core.fsmonitorHookVersion 2; git update-index --fsmonitor; git status >/dev/null`,
    )
    const { repo, session } = guarded
    expect(indexFile(repo).extensions).toContain('FSMN')
    repo.sh('echo fix >> src/a.js; echo src/b.js > .git/changed; echo fix >> src/b.js; git add src/b.js')

    const answer = await session.check('PostToolUse')

    expect(answer.reason).toContain('src/a.js')
    expect(answer.reason).toContain('src/b.js')
    expect([repo.read('src/a.js'), repo.read('src/b.js')]).toEqual(['a\n', 'b\n'])
    expect(repo.status()).toBe('')
    expect(repo.git('fsck', '--no-dangling')).toBe('')
  })
})
