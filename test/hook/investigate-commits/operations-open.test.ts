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
import { armAfter, expectFolded, expectNamed, expectSilent } from './story.ts'

describe.for(conflicts)('a %s that was open when the gate armed', ([operation, start, end, abort]) => {
  test('is no error, and arms', async ({ world }) => {
    const story = await armAfter(world, start)

    await expectSilent(story)
  })

  test('keeps conflict text and stages when a resolution is staged', async ({ world }) => {
    const story = await armAfter(world, start)

    await expectConflictKept(story)
  })

  test('can be aborted, and the gate says nothing', async ({ world }) => {
    const story = await armAfter(world, start)
    const tree = story.repo.git('ls-tree', '-r', 'HEAD')

    await expectFolded(story, abort)

    expect(story.repo.status()).toBe('')
    if (operation === 'merge') expect(story.repo.git('ls-tree', '-r', 'HEAD')).toBe(tree)
  })

  if (operation === 'merge') return
  test('and finished since leaves its result, observed and named', async ({ world }) => {
    const story = await armAfter(world, start)
    story.act(`${RESOLVE}; ${end} >/dev/null`)
    const [head, acted] = [story.commit('HEAD'), story.repo.snapshot()]

    const answer = await story.session.check('PostToolUse')

    expect(answer.decision, answer.reason).toBeUndefined()
    expect(story.repo.snapshot()).toEqual(acted)
    expect(world.log().filter((line) => line.includes('event=observed'))).toHaveLength(1)
    expect(answer.stdout).toContain(head)
  })
})

describe('a merge that was open when the gate armed', () => {
  test('keeps its files while a fix beside it is put back', async ({ world }) => {
    const story = await armAfter(world, CONFLICT_MERGE)
    const before = [mergeFiles(story), conflictOf(story)]
    story.act(`${RESOLVE}; echo fix >> src/b.js; git add src/b.js`)

    await story.session.check('PostToolUse')

    expect([mergeFiles(story), conflictOf(story)]).toEqual(before)
    expect(story.repo.git('diff', 'HEAD', '--name-only')).toBe('src/a.js\nsrc/c.js')
  })

  test('and concluded since is open again, with its files and stages', async ({ world }) => {
    const story = await armAfter(world, CONFLICT_MERGE)
    const before = [mergeFiles(story), conflictOf(story), story.commit('top')]
    story.act(`${RESOLVE}; git commit -q --no-edit`)
    const merge = story.commit('HEAD')

    const answer = await story.session.check('PostToolUse')

    expectNamed(story, answer, merge)
    expect([mergeFiles(story), conflictOf(story), story.commit('top')]).toEqual(before)
    await expectSilent(story)
    story.act('git merge --abort')
    expect(story.repo.status()).toBe('')
  })

  test('and concluded without a resolution of its own stays concluded', async ({ world }) => {
    const story = await armAfter(world, 'git checkout -q top; git merge -q --no-commit bottom')

    await expectFolded(story, 'git commit -q --no-edit')
  })
})
