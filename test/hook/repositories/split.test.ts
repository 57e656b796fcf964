import { chmodSync, readFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armed } from '../../helpers/armed.ts'
import { test } from '../../helpers/world.ts'
import { BASE, expectHeld, guard, indexFile, STAGED_FIX } from './guarded.ts'

const SPLIT = `for i in 1 2 3 4 5 6 7 8; do echo $i > src/f$i.js; done; save more
git config core.splitIndex true; git update-index --split-index`

describe('a split index', () => {
  test('keeps flags, intents and stages of entries that go back', async ({ world }) => {
    const guarded = await guard(
      world,
      `${BASE}; ${SPLIT}
      git update-index --assume-unchanged src/f1.js; git update-index --skip-worktree src/f2.js
      echo new > src/new.js; git add -N src/new.js
      for stage in 1 2 3; do echo "100644 $(echo $stage | git hash-object -w --stdin) $stage	src/f3.js"; done > lines
      git rm -q --cached src/f3.js; git update-index --index-info < lines; rm lines`,
    )

    await expectHeld(
      guarded,
      `git update-index --no-assume-unchanged src/f1.js; git update-index --no-skip-worktree src/f2.js
      for f in f1 f2 new f3; do echo fix >> src/$f.js; git add src/$f.js; done`,
      ['src/f1.js', 'src/f2.js', 'src/f3.js', 'src/new.js'],
    )

    expect(indexFile(guarded.repo).extensions).toContain('link')
  })

  test('that the agent made of a whole one is guarded and stays split', async ({ world }) => {
    const guarded = await guard(world, BASE)

    await expectHeld(guarded, `git update-index --split-index; ${STAGED_FIX}`)

    expect(indexFile(guarded.repo).extensions).toContain('link')
  })

  test('that the agent made whole is guarded and stays whole', async ({ world }) => {
    const guarded = { world, ...(await armed(world, 'split-index')) }

    await expectHeld(
      guarded,
      `git config core.splitIndex false; git update-index --no-split-index; ${STAGED_FIX}`,
    )

    expect(indexFile(guarded.repo).extensions).not.toContain('link')
  })

  test('follows a branch switch and a commit that is undone', async ({ world }) => {
    const { repo, session } = await guard(world, `${BASE}; git branch other; ${SPLIT}`)
    repo.sh('git checkout -q other')
    const folded = await session.check('PostToolUse')
    const tip = repo.git('rev-parse', 'HEAD')
    repo.sh(`${STAGED_FIX}; git commit -qm fix`)

    const answer = await session.check('PostToolUse')

    expect(folded.stdout).toBe('')
    expect(answer.decision, answer.stderr).toBe('block')
    expect(repo.git('rev-parse', 'HEAD')).toBe(tip)
    expect(repo.status()).toBe('')
  })

  test('whose shared file is gone is GATE_GIT, and nothing is touched', async ({ world }) => {
    const { repo, session } = await armed(world, 'split-index')
    repo.sh(`${STAGED_FIX}; mkdir ../aside; mv .git/sharedindex.* ../aside`)
    const bytes = repo.bytes('.git/index')

    const answer = await session.check('PostToolUse')

    expect(answer.markers).toMatchObject([{ event: 'error', fields: { code: 'GATE_GIT' } }])
    expect(repo.read('src/a.js')).toBe('a\nfix\n')
    expect(repo.bytes('.git/index')).toEqual(bytes)
    repo.sh('mv ../aside/* .git')
    expect((await session.check('PostToolUse')).reason).toContain('src/a.js')
  })

  test('is read by git once, not at every check', async ({ world }) => {
    const log = join(world.folder, 'calls')
    const git = join(world.folder, 'bin/git')
    const { repo, session } = await guard(
      world,
      `${BASE}; ${SPLIT}
      mkdir -p "$PWD/../../bin"; printf '#!/bin/sh\\necho "$@" >> ${log}\\nexec %s "$@"\\n' "$(command -v git)" > ${git}`,
    )
    chmodSync(git, 0o755)
    world.env['PATH'] = `${join(world.folder, 'bin')}:${world.env['PATH'] ?? ''}`

    await session.check('PostToolUse')
    await session.check('PostToolUse')
    expect(existsSync(log)).toBe(false)

    repo.sh(STAGED_FIX)
    await session.check('PostToolUse')
    const called = readFileSync(log, 'utf8')
    await session.check('PostToolUse')
    expect(readFileSync(log, 'utf8')).toBe(called)
  })
})
