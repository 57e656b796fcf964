import { describe, expect } from 'vitest'
import { test } from '../../helpers/world.ts'
import { armAfter, COMMIT, expectNamed, expectSilent, FIX, isReachable, LINES } from './story.ts'

describe('a fix commit is undone', () => {
  test('on a branch behind, which goes back while the checked-out one is untouched', async ({ world }) => {
    const story = await armAfter(
      world,
      'git checkout -q -b feature; echo f > src/c.js; git commit -qam feature',
    )
    const [main, feature] = [story.commit('main'), story.commit('feature')]
    story.act(`git checkout -q main; ${COMMIT}; git checkout -q feature`)
    const fix = story.commit('main')

    const answer = await story.session.check('PostToolUse')

    expectNamed(story, answer, fix)
    expect([story.commit('main'), story.commit('feature')]).toEqual([main, feature])
    expect(story.repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/feature')
    expect(story.repo.status()).toBe('')
    await expectSilent(story)
  })

  test('on a branch behind that stays checked out', async ({ world }) => {
    const story = await armAfter(
      world,
      'git checkout -q -b feature; echo f > src/c.js; git commit -qam feature',
    )
    const [main, feature] = [story.commit('main'), story.commit('feature')]
    story.act(`git checkout -q main; ${COMMIT}`)

    await story.session.check('PostToolUse')

    expect([story.commit('main'), story.commit('feature')]).toEqual([main, feature])
    expect(story.repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main')
    expect([story.repo.read('src/a.js'), story.repo.read('src/c.js')]).toEqual([LINES, 'c\n'])
    expect(story.repo.status()).toBe('')
    await expectSilent(story)
  })

  test('on a branch beside, to that branch’s own tip', async ({ world }) => {
    const story = await armAfter(world)
    const top = story.commit('top')
    story.act(`git checkout -q top; ${COMMIT}; git checkout -q main`)

    const answer = await story.session.check('PostToolUse')

    expect(answer.decision).toBe('block')
    expect(story.commit('top')).toBe(top)
    expect(story.repo.status()).toBe('')
  })

  test('on a new branch, to the newest older ancestor', async ({ world }) => {
    const story = await armAfter(world)
    story.act(`git checkout -q -b new top; ${COMMIT}`)

    await story.session.check('PostToolUse')

    expect(story.commit('new')).toBe(story.commit('top'))
    expect(story.repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/new')
    expect(story.repo.read('src/a.js')).toBe(LINES.replace('1', 'top'))
    expect(story.repo.status()).toBe('')
    await expectSilent(story)
  })

  test('on a detached HEAD, which stays detached', async ({ world }) => {
    const story = await armAfter(world)
    const main = story.commit('main')
    story.act(`git checkout -q --detach; ${COMMIT}`)
    const fix = story.commit('HEAD')

    const answer = await story.session.check('PostToolUse')

    expectNamed(story, answer, fix)
    expect(story.commit('HEAD')).toBe(main)
    expect(story.repo.git('branch', '--show-current')).toBe('')
    expect(story.repo.status()).toBe('')
    await expectSilent(story)
  })

  test('on an orphan branch: it stays, and HEAD goes back to the branch of before', async ({ world }) => {
    const story = await armAfter(world)
    story.act(`git checkout -q --orphan fresh; ${COMMIT}`)
    const fix = story.commit('HEAD')

    const answer = await story.session.check('PostToolUse')

    expectNamed(story, answer, fix)
    expect(story.commit('fresh')).toBe(fix)
    expect(story.repo.git('symbolic-ref', 'HEAD')).toBe('refs/heads/main')
    expect(story.repo.status()).toBe('')
    await expectSilent(story)
  })

  test.for([
    ['HEAD was detached', 'git checkout -q --detach', ''],
    ['the branch of before is gone', '', 'git branch -q -D main'],
  ] as const)(
    'on an orphan branch where %s: HEAD goes back to that commit',
    async ([, setup, then], { world }) => {
      const story = await armAfter(world, setup)
      const head = story.commit('HEAD')
      story.act(`git checkout -q --orphan fresh; ${COMMIT}; ${then}`)
      const fix = story.commit('HEAD')

      const answer = await story.session.check('PostToolUse')

      expectNamed(story, answer, fix)
      expect(answer.reason).toContain(`HEAD is back at ${head}`)
      expect([story.commit('fresh'), story.commit('HEAD')]).toEqual([fix, head])
      expect(story.repo.git('branch', '--show-current')).toBe('')
      expect(story.repo.status()).toBe('')
      await expectSilent(story)
    },
  )

  test('that amends a first commit on a detached HEAD: HEAD goes back to that one', async ({ world }) => {
    const story = await armAfter(world)
    story.act(`git checkout -q --detach v1; ${FIX}; git commit -qa --amend --no-edit`)
    const fix = story.commit('HEAD')

    const answer = await story.session.check('PostToolUse')

    expectNamed(story, answer, fix)
    expect(story.commit('HEAD')).toBe(story.commit('v1'))
    expect(isReachable(story, fix)).toBe(true)
    await expectSilent(story)
  })

  test('on a detached HEAD that has no older commit below it: HEAD goes back to the commit of before', async ({
    world,
  }) => {
    const story = await armAfter(world)
    const main = story.commit('main')
    story.act(`${FIX}; git checkout -q --detach $(git add -A; git commit-tree -m fix $(git write-tree))`)
    const fix = story.commit('HEAD')

    const answer = await story.session.check('PostToolUse')

    expectNamed(story, answer, fix)
    expect(story.commit('HEAD')).toBe(main)
    expect(isReachable(story, fix)).toBe(true)
    await expectSilent(story)
  })
})
