import { describe, expect } from 'vitest'
import { test } from '../../helpers/world.ts'
import {
  CONFLICT_MERGE,
  conflictOf,
  conflicts,
  expectConflictKept,
  mergeFiles,
  RESOLVE,
} from './conflicts.ts'
import { armAfter, expectFolded, expectNamed, expectSilent, FIX, LINES } from './story.ts'

describe.for(conflicts)('a %s that began since', ([operation, start, end]) => {
  const since =
    operation === 'revert' ? 'git checkout -q y; git revert HEAD~1 >/dev/null 2>&1 || true' : start
  const setup = operation === 'revert' ? start.replace(/git revert.*/, 'git checkout -q main') : ''

  test('is let be, conflict and all', async ({ world }) => {
    const story = await armAfter(world, setup)

    await expectFolded(story, since)
  })

  test('goes back to conflict text and stages when a resolution is staged', async ({ world }) => {
    const story = await armAfter(world, setup)
    await expectFolded(story, since)

    await expectConflictKept(story)
  })

  test('is what the first check sees, and goes back to that when it is committed', async ({ world }) => {
    const story = await armAfter(world, setup)
    story.act(`${since}; echo noted >> src/a.js`)
    await story.session.check('PostToolUse')
    const before = conflictOf(story)
    story.act('echo resolved >> src/a.js; git commit -qam resolved')

    const answer = await story.session.check('PostToolUse')

    expect(answer.decision, answer.stderr).toBe('block')
    expect(conflictOf(story)).toEqual(before)
    await expectSilent(story)
  })

  test('and ended with a resolution is undone', async ({ world }) => {
    const story = await armAfter(world, setup)
    story.act(since)
    await story.session.check('PostToolUse')
    const branch = operation.startsWith('rebase') ? 'clash' : story.repo.git('branch', '--show-current')
    const tip = story.commit(branch)
    story.act(`${RESOLVE}; ${end} >/dev/null`)
    const fix = story.commit('HEAD')

    const answer = await story.session.check('PostToolUse')

    expectNamed(story, answer, fix)
    expect(story.commit(branch)).toBe(tip)
    expect(story.repo.read('src/a.js')).not.toContain('resolved')
    await expectSilent(story)
  })
})

describe('a merge that began since', () => {
  test('keeps its files while a fix beside it is put back', async ({ world }) => {
    const story = await armAfter(world)
    await expectFolded(story, CONFLICT_MERGE)
    const before = [mergeFiles(story), conflictOf(story)]
    story.act('echo fix >> src/b.js; git add src/b.js')

    const answer = await story.session.check('PostToolUse')

    expect(answer.reason).toContain('src/b.js')
    expect([mergeFiles(story), conflictOf(story)]).toEqual(before)
    await expectSilent(story)
    story.act('git merge --abort')
    expect(story.repo.status()).toBe('')
  })
})

describe('an am that is no old commit’s patch', () => {
  const PATCH = `git checkout -q -b mail; ${FIX}; git commit -qam mail; git format-patch -q -1 --stdout > ../p; git checkout -q main; git branch -q -D mail; git reflog expire --expire=now --all; git gc -q --prune=now`

  test('is undone', async ({ world }) => {
    const story = await armAfter(world, PATCH)
    const main = story.commit('main')
    story.act('git am -q ../p')
    const fix = story.commit('HEAD')

    const answer = await story.session.check('PostToolUse')

    expectNamed(story, answer, fix)
    expect(story.commit('main')).toBe(main)
    expect(story.repo.read('src/a.js')).toBe(LINES)
    await expectSilent(story)
  })
})
