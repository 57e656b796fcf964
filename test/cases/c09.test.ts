import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { armCase, CASE_CHECKS } from '../helpers/case.ts'
import type { Repo } from '../helpers/repo.ts'
import { test } from '../helpers/world.ts'

const SETUP = `
new_repo
printf 'base\\n' > src/a.js; printf 'k\\n' > src/k.js; save
git checkout -qb other; printf 'theirs\\n' > src/a.js; save theirs
git checkout -q main;   printf 'ours\\n'   > src/a.js; save ours
git merge other >/dev/null 2>&1 || true
`
const ACT = "printf 'resolved by agent\\n' > src/a.js; git add src/a.js; echo fix >> src/k.js"

const conflictOf = (repo: Repo): unknown => ({
  text: repo.read('src/a.js'),
  index: repo.index(),
  files: ['MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE'].map((name) =>
    readFileSync(repo.path(`.git/${name}`), 'latin1'),
  ),
})

describe('C09: a conflicted index', () => {
  test.for(CASE_CHECKS)('comes back whole, with the merge still open, at %s', async (event, { world }) => {
    const { repo, session } = await armCase(world, SETUP)
    const before = conflictOf(repo)
    repo.sh(ACT)

    const answer = await session.check(event)

    expect(answer.reason).toContain('src/a.js')
    expect(answer.reason).toContain('src/k.js')
    expect(repo.read('src/k.js')).toBe('k\n')
    expect(conflictOf(repo)).toEqual(before)
  })

  test('can still be aborted', async ({ world }) => {
    const { repo, session } = await armCase(world, SETUP)
    repo.sh(ACT)
    await session.check('PostToolUse')

    repo.git('merge', '--abort')

    expect(repo.status()).toBe('')
    expect(repo.read('src/a.js')).toBe('ours\n')
  })

  test('is no error when the gate arms', async ({ world }) => {
    const { session } = await armCase(world, SETUP)

    const answer = await session.check('PostToolUse')

    expect(answer.stdout + answer.stderr).toBe('')
  })
})
