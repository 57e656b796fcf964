import { describe, expect } from 'vitest'
import { test } from '../../helpers/world.ts'
import { armAfter, expectFolded, FIX, LINES, LOCAL_COMMIT } from './story.ts'

describe('the baseline follows HEAD:', () => {
  const moves: readonly (readonly [name: string, script: string, setup: string, text: string])[] = [
    ['to an old branch', 'git checkout -q top', '', LINES.replace('1', 'top')],
    ['to upstream', 'git pull -q', '', LINES.replace('5', 'upstream')],
    [
      'to what a merge gave',
      'git fetch -q; git merge -q --no-edit origin/main',
      LOCAL_COMMIT,
      LINES.replace('5', 'upstream').replace('9', 'local'),
    ],
    [
      'to what a rebase gave',
      'git rebase -q top',
      'git checkout -q topic',
      LINES.replace('1', 'top').replace('3', 'three of topic'),
    ],
    [
      'to what a pick gave',
      'git cherry-pick top >/dev/null',
      LOCAL_COMMIT,
      LINES.replace('1', 'top').replace('9', 'local'),
    ],
  ]
  test.for(moves)('%s, where a later fix goes back', async ([, script, setup, text], { world }) => {
    const story = await armAfter(world, setup)
    await expectFolded(story, script)

    story.act(FIX)
    const answer = await story.session.check('PostToolUse')

    expect(answer.decision).toBe('block')
    expect(story.repo.read('src/a.js')).toBe(text)
    expect(story.repo.status()).toBe('')
  })

  test.for(moves)(
    '%s, where a fix of the same command goes back',
    async ([, script, setup, text], { world }) => {
      const story = await armAfter(world, setup)

      story.act(`${script}; ${FIX}`)
      const answer = await story.session.check('PostToolUse')

      expect(answer.decision).toBe('block')
      expect(story.repo.read('src/a.js')).toBe(text)
      expect(story.repo.status()).toBe('')
    },
  )

  test('a file that upstream brought is gated from then on', async ({ world }) => {
    const story = await armAfter(world)
    await expectFolded(story, 'git pull -q')

    story.act('echo fix >> src/new.js')
    const answer = await story.session.check('PostToolUse')

    expect(answer.reason).toContain('src/new.js')
    expect(story.repo.read('src/new.js')).toBe('new\n')
  })
})
