import { describe, expect } from 'vitest'
import { test } from '../../helpers/world.ts'
import { armAfter, COMMIT, expectFolded } from './story.ts'

describe('a commit stays', () => {
  const kept: readonly (readonly [name: string, script: string])[] = [
    ['with only a doc', 'echo doc >> README.md; git commit -qam doc'],
    ['with only new files', 'echo new > src/new.js; git add .; git commit -qm new'],
    ['with only a test', 'echo t >> test/a.test.js; git commit -qam test'],
    ['with only a mode', 'chmod +x src/a.js; git commit -qam mode'],
    ['with nothing', 'git commit -q --allow-empty -m empty'],
    ['that amends a message', 'git commit -q --amend -m other'],
    ['that amends a doc', 'echo doc >> README.md; git commit -qa --amend --no-edit'],
    ['that amends a new file', 'echo new > src/new.js; git add .; git commit -q --amend --no-edit'],
    ['that holds old content', 'git checkout -q clash -- src/c.js; git commit -qm old'],
    ['that was pushed', `${COMMIT}; git push -q origin HEAD:fix`],
    [
      'on an orphan branch of new files',
      'git checkout -q --orphan docs; git rm -rqf .; echo d > d.md; git add .; git commit -qm d; git checkout -q main',
    ],
    ['that squashes old commits', 'git reset -q --soft HEAD~2; git commit -qm squashed'],
  ]
  test.for(kept)('%s', async ([, script], { world }) => {
    const story = await armAfter(world)

    await expectFolded(story, script)
  })

  test('after a root cause was stated', async ({ world }) => {
    const story = await armAfter(world)
    story.session.reads('src/a.js').says('Root cause: line 7 is wrong, src/a.js:7')

    story.act(COMMIT)
    const fix = story.commit('HEAD')
    await story.session.check('PreToolUse')

    expect(story.commit('main')).toBe(fix)
  })
})
