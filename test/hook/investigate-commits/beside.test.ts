import { existsSync, rmSync, writeFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { test } from '../../helpers/world.ts'
import { armAfter, COMMIT, expectFolded, expectSilent, FIX, LINES } from './story.ts'

describe.for([
  ['a branch', '.git/refs/heads/main.lock'],
  ['HEAD', '.git/HEAD.lock'],
  ['the index', '.git/index.lock'],
] as const)('while somebody holds the lock of %s', ([, lock]) => {
  test('a proved fix is put back in the work tree, and no ref moves', async ({ world }) => {
    const story = await armAfter(world)
    story.act(COMMIT)
    const fix = story.commit('main')
    writeFileSync(story.repo.path(lock), '')

    const answer = await story.session.check('PostToolUse')

    expect(answer.ms).toBeLessThan(5_000)
    expect(answer.stdout).toContain(lock.replace(/^.*\//, ''))
    expect(story.commit('main')).toBe(fix)
    expect(story.repo.read('src/a.js')).toBe(LINES)
    expect(existsSync(story.repo.path(lock))).toBe(true)
  })

  test('the rest is done by the next check after it is gone', async ({ world }) => {
    const story = await armAfter(world)
    const main = story.commit('main')
    story.act(COMMIT)
    writeFileSync(story.repo.path(lock), '')
    await story.session.check('PostToolUse')
    rmSync(story.repo.path(lock))

    await story.session.check('PostToolUse')

    expect(story.commit('main')).toBe(main)
    expect(story.repo.status()).toBe('')
    await expectSilent(story)
  })

  test('a missing file is not made again', async ({ world }) => {
    const story = await armAfter(world)
    story.repo.remove('src/a.js')
    writeFileSync(story.repo.path(lock), '')

    await story.session.check('PostToolUse')

    expect(existsSync(story.repo.path('src/a.js'))).toBe(false)
  })
})

describe('beside a check', () => {
  test('the user’s own add of an old file is never lost', async ({ world }) => {
    const story = await armAfter(world)
    story.act(FIX)

    const adding = world.run(
      'bash',
      ['-c', 'for i in $(seq 60); do echo $i > n$i.md; git add n$i.md; done'],
      {
        cwd: story.repo.folder,
      },
    )
    const answer = await story.session.check('PostToolUse')
    const added = await adding

    expect(answer.decision).toBe('block')
    const failed = added.stderr.split('\n').filter((line) => line.includes('index.lock')).length
    expect(story.repo.git('ls-files', 'n*.md').split('\n')).toHaveLength(60 - failed)
    expect(existsSync(story.repo.path('.git/index.lock'))).toBe(false)
  })

  test('the user’s own checkouts end in a tree that git calls clean', async ({ world }) => {
    const story = await armAfter(world)

    const switching = world.run(
      'bash',
      ['-c', 'for i in $(seq 15); do git checkout -q top; git checkout -q clash; git checkout -q main; done'],
      { cwd: story.repo.folder },
    )
    for (let check = 0; check < 4; check++) await story.session.check('PostToolUse')
    const { stderr } = await switching

    expect(stderr).toBe('')
    await expectFolded(story, 'true')
    expect(story.repo.status()).toBe('')
  })

  test('the user’s own rebases lose no commit', async ({ world }) => {
    const story = await armAfter(world, 'git checkout -q topic')

    const rebasing = world.run(
      'bash',
      ['-c', 'for i in $(seq 5); do git rebase -q top && git rebase -q --onto v1 top; done'],
      { cwd: story.repo.folder },
    )
    for (let check = 0; check < 4; check++) await story.session.check('PostToolUse')
    const { stderr } = await rebasing

    expect(stderr).toBe('')
    expect(story.repo.git('log', '--format=%s', 'v1..topic')).toBe('topic two\ntopic one')
    expect(story.repo.status()).toBe('')
  })
})
