import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armIn } from '../../helpers/armed.ts'
import { openRepo } from '../../helpers/repo.ts'
import { test } from '../../helpers/world.ts'
import { armAfter, expectFolded, expectNamed, expectSilent, FIX, isReachable } from './story.ts'

const FIX_WORKTREE = 'echo fix >> src/a.js; git commit -qam fix'

describe('a branch of another worktree', () => {
  test('that got a commit there is observed, not moved', async ({ world }) => {
    const story = await armAfter(world, '', 'worktree')
    story.act(`cd ../second; ${FIX_WORKTREE}`)
    const [topic, acted] = [story.commit('topic'), story.repo.snapshot()]

    const answer = await story.session.check('PostToolUse')

    expect(answer.decision, answer.reason).toBeUndefined()
    expect(world.log().filter((line) => line.includes('event=observed'))).toHaveLength(1)
    expect(story.commit('topic')).toBe(topic)
    expect(story.repo.snapshot()).toEqual(acted)
    await expectSilent(story)
  })

  test('that got a commit by plumbing from here is not moved', async ({ world }) => {
    const story = await armAfter(world, '', 'worktree')
    story.act(
      'echo fix >> src/a.js; git add src/a.js; git update-ref refs/heads/topic $(git commit-tree -m fix -p topic $(git write-tree)); git reset -q --hard',
    )
    const topic = story.commit('topic')

    await story.session.check('PostToolUse')

    expect(story.commit('topic')).toBe(topic)
  })

  test('that was checked out there when the gate armed and is free now is not moved', async ({ world }) => {
    const story = await armAfter(world, '', 'worktree')
    story.act(`(cd ../second; ${FIX_WORKTREE}); git worktree remove ../second`)
    const topic = story.commit('topic')

    await story.session.check('PostToolUse')

    expect(story.commit('topic')).toBe(topic)
  })

  test('made since, whose commit stands in the other one’s log, is not moved', async ({ world }) => {
    const story = await armAfter(world, '', 'worktree')
    story.act(`(cd ../second; git checkout -q -b other; ${FIX_WORKTREE}; git checkout -q topic)`)
    const other = story.commit('other')

    await story.session.check('PostToolUse')

    expect(story.commit('other')).toBe(other)
  })

  test('of a worktree made, seen by a check and removed since is not moved', async ({ world }) => {
    const story = await armAfter(world)
    await expectFolded(story, 'git worktree add -q -b aside ../aside')
    story.act(`(cd ../aside; ${FIX}; git commit -qam fix); git worktree remove ../aside`)
    const aside = story.commit('aside')

    await story.session.check('PostToolUse')

    expect(story.commit('aside')).toBe(aside)
  })

  test('of a worktree that no check has seen goes back', async ({ world }) => {
    const story = await armAfter(world)
    story.act(
      `git worktree add -q -b aside ../aside; (cd ../aside; ${FIX}; git commit -qam fix); git worktree remove ../aside`,
    )
    const aside = story.commit('aside')

    const answer = await story.session.check('PostToolUse')

    expectNamed(story, answer, aside)
    expect(story.commit('aside')).toBe(story.commit('main'))
    expect(isReachable(story, aside)).toBe(true)
  })

  test('of a worktree made since, with its commit there, is not moved', async ({ world }) => {
    const story = await armAfter(world)
    story.act(`git worktree add -q -b aside ../aside; cd ../aside; ${FIX}; git commit -qam fix`)
    const aside = story.commit('aside')

    await story.session.check('PostToolUse')

    expect(story.commit('aside')).toBe(aside)
  })

  test('is no shelter for a commit made here', async ({ world }) => {
    const story = await armAfter(world, '', 'worktree')
    const main = story.commit('main')
    story.act(FIX_WORKTREE)
    const fix = story.commit('HEAD')

    const answer = await story.session.check('PostToolUse')

    expectNamed(story, answer, fix)
    expect(story.commit('main')).toBe(main)
    await expectSilent(story)
  })
})

test('a session in the second worktree undoes its own commit and leaves main alone', async ({ world }) => {
  const repo = openRepo(join(world.repo('worktree').folder, '../second'))
  const { session } = await armIn(world, repo)
  const before = repo.refs()
  repo.sh(FIX_WORKTREE)

  const answer = await session.check('PostToolUse')

  expect(answer.decision, answer.stderr).toBe('block')
  expect(repo.refs()).toBe(before)
  expect(repo.status()).toBe('')
})

describe('two armed sessions on one tree', () => {
  test('put a fix back once; the second says nothing', async ({ world }) => {
    const story = await armAfter(world)
    const second = await armIn(world, story.repo)
    story.act(FIX)

    const answers = [await story.session.check('PostToolUse'), await second.session.check('PostToolUse')]

    expect(answers.map(({ decision }) => decision)).toEqual(['block', undefined])
    expect(story.repo.status()).toBe('')
  })

  test('undo a commit once; the second says nothing', async ({ world }) => {
    const story = await armAfter(world)
    const second = await armIn(world, story.repo)
    const main = story.commit('main')
    story.act(`${FIX}; git commit -qam fix`)

    const answers = [await story.session.check('PostToolUse'), await second.session.check('PostToolUse')]

    expect(answers.map(({ decision }) => decision)).toEqual(['block', undefined])
    expect(story.commit('main')).toBe(main)
  })

  test('that check at the same moment leave one clean tree and lose no copy', async ({ world }) => {
    const story = await armAfter(world)
    const second = await armIn(world, story.repo)
    const main = story.commit('main')
    story.act(`${FIX}; git commit -qam fix; echo more >> src/b.js`)

    const answers = await Promise.all([
      story.session.check('PostToolUse'),
      second.session.check('PostToolUse'),
    ])

    expect(answers.map(({ stderr }) => stderr).join('')).toBe('')
    expect(answers.some(({ decision }) => decision === 'block')).toBe(true)
    expect(story.commit('main')).toBe(main)
    expect(story.repo.status()).toBe('')
    const kept = await world.run('grep', ['-rl', 'more', `${world.stateRoot}/skill-gates`])
    expect(kept.stdout).not.toBe('')
  })

  test('of which one has its root cause: its fix is put back by the other, with a copy', async ({
    world,
  }) => {
    const story = await armAfter(world)
    const second = await armIn(world, story.repo)
    second.session.reads('src/a.js').says('Root cause: line 7, src/a.js:7')
    await second.session.check('PreToolUse')
    story.act(FIX)

    const answers = [await second.session.check('PostToolUse'), await story.session.check('PostToolUse')]

    expect(answers.map(({ decision }) => decision)).toEqual([undefined, 'block'])
  })
})
