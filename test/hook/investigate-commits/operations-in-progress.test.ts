import { existsSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { readWorkTree } from '../../helpers/file-states.ts'
import { test } from '../../helpers/world.ts'
import { armAfter, expectFolded, expectNamed, expectSilent, FIX, LINES } from './story.ts'

describe('a rebase in progress', () => {
  const STOPPED = `git checkout -q topic; git rebase -q -x "${FIX}; git commit -qam fix; false" top >/dev/null 2>&1 || true`

  test('keeps a fix commit of its own; contents go back, and the block names commit and operation', async ({
    world,
  }) => {
    const story = await armAfter(world)
    const topic = story.commit('topic')
    story.act(STOPPED)
    const fix = story.commit('HEAD')
    const rebase = readWorkTree(story.repo.path('.git/rebase-merge'))

    const answer = await story.session.check('PostToolUse')

    expectNamed(story, answer, fix)
    expect(answer.reason).toMatch(/rebase is in progress/)
    expect([story.commit('HEAD'), story.commit('topic')]).toEqual([fix, topic])
    expect(readWorkTree(story.repo.path('.git/rebase-merge'))).toEqual(rebase)
    expect(story.repo.read('src/a.js')).not.toContain('fix')
  })

  test('blocks once for a commit, not at each check', async ({ world }) => {
    const story = await armAfter(world)
    story.act(STOPPED)
    await story.session.check('PostToolUse')

    const answers = [await story.session.check('PostToolUse'), await story.session.check('PreToolUse')]

    expect(answers.map(({ reason }) => reason)).toEqual(['', ''])
  })

  test('that is aborted leaves nothing to say', async ({ world }) => {
    const story = await armAfter(world)
    const topic = story.commit('topic')
    story.act(STOPPED)
    await story.session.check('PostToolUse')

    await expectFolded(story, 'git reset -q --hard; git rebase --abort')

    expect(story.commit('topic')).toBe(topic)
    expect(story.repo.status()).toBe('')
  })

  test('that ends with the commit is undone then', async ({ world }) => {
    const story = await armAfter(world)
    const topic = story.commit('topic')
    story.act(STOPPED)
    await story.session.check('PostToolUse')
    story.act('git reset -q --hard; git rebase --quit; git branch -q -f topic HEAD; git checkout -q topic')

    const answer = await story.session.check('PostToolUse')

    expect(answer.decision).toBe('block')
    expect(story.commit('topic')).toBe(topic)
    expect(story.repo.git('status', '--porcelain', 'src')).toBe('')
    await expectSilent(story)
  })

  test('-i that stops for an edit is let be', async ({ world }) => {
    const story = await armAfter(world)

    await expectFolded(
      story,
      'git checkout -q topic; GIT_SEQUENCE_EDITOR="sed -i 1s/pick/edit/" git rebase -q -i top 2>/dev/null',
    )
  })

  test('that ended cleanly between two checks is let be', async ({ world }) => {
    const story = await armAfter(world)
    await expectFolded(
      story,
      'git checkout -q topic; GIT_SEQUENCE_EDITOR="sed -i 1s/pick/edit/" git rebase -q -i top 2>/dev/null',
    )

    await expectFolded(story, 'git rebase --continue >/dev/null 2>&1')
  })
})

describe('a bisect in progress', () => {
  test('moves no ref for a fix commit, and its end does', async ({ world }) => {
    const story = await armAfter(world)
    const main = story.commit('main')
    await expectFolded(story, 'git bisect start main v1 >/dev/null')
    story.act(`${FIX}; git commit -qam fix; git branch -q found`)
    const fix = story.commit('HEAD')

    const answer = await story.session.check('PostToolUse')
    const stayed = story.commit('found')
    story.act('git bisect reset >/dev/null 2>&1')
    const ended = await story.session.check('PostToolUse')

    expectNamed(story, answer, fix)
    expect(stayed).toBe(fix)
    expect(ended.decision).toBe('block')
    expect(story.commit('found')).not.toBe(fix)
    expect(story.commit('main')).toBe(main)
  })

  test('that was open when the gate armed can go on', async ({ world }) => {
    const story = await armAfter(world, 'git bisect start main v1 >/dev/null')

    await expectFolded(story, 'git bisect good >/dev/null')
    await expectFolded(story, 'git bisect reset 2>/dev/null')

    expect(existsSync(story.repo.path('.git/BISECT_LOG'))).toBe(false)
    expect(story.repo.read('src/a.js')).toBe(LINES)
  })
})
