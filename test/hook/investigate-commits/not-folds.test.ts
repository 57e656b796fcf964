import { describe, expect } from 'vitest'
import { test } from '../../helpers/world.ts'
import { armAfter, expectNamed, expectSilent, FIX, LINES } from './story.ts'

describe('a fix stays a fix when it comes back', () => {
  const detours: readonly (readonly [name: string, script: string])[] = [
    ['from a new stash entry', `${FIX}; git stash push -q; git stash pop -q`],
    [
      'from a dropped stash entry',
      `${FIX}; git stash push -q; S=$(git rev-parse stash@{0}); git stash drop -q; git stash apply -q $S`,
    ],
    [
      'from its blob',
      `${FIX}; B=$(git hash-object -w src/a.js); git checkout -q -- src/a.js; git cat-file blob $B > src/a.js`,
    ],
    [
      'from a commit of a branch that is gone',
      `git checkout -q -b x; ${FIX}; git commit -qam x; C=$(git rev-parse HEAD); git checkout -q main; git branch -q -D x; git checkout -q $C -- src/a.js`,
    ],
    [
      'from a tag',
      `${FIX}; git tag x $(git stash create); git checkout -q -- src/a.js; git checkout -q x -- src/a.js`,
    ],
    [
      'from a reflog entry',
      `${FIX}; git commit -qam x; git reset -q --hard HEAD~1; git checkout -q 'HEAD@{1}' -- src/a.js`,
    ],
    [
      'from FETCH_HEAD, fetched from this repository by its path',
      `${FIX}; git tag x $(git stash create); git checkout -q -- src/a.js; git fetch -q "$PWD" tag x; git checkout -q FETCH_HEAD -- src/a.js`,
    ],
    [
      'from FETCH_HEAD, fetched from this repository by a dot',
      `${FIX}; git tag x $(git stash create); git checkout -q -- src/a.js; git fetch -q . tag x; git checkout -q FETCH_HEAD -- src/a.js`,
    ],
    [
      'from FETCH_HEAD, fetched through a link to this repository',
      `${FIX}; git tag x $(git stash create); git checkout -q -- src/a.js; ln -s "$PWD" ../alias; git fetch -q ../alias tag x; git checkout -q FETCH_HEAD -- src/a.js`,
    ],
    [
      'from a pack',
      `${FIX}; git add src/a.js; git stash create >/dev/null; git repack -q -a -d -k; git gc -q`,
    ],
    [
      'by lines of old texts in an order of its own',
      'git show top:src/a.js bottom:src/a.js > src/a.js; git add src/a.js',
    ],
    ['by less of an old text', 'git show topic:src/a.js | sed 1d > src/a.js; git add src/a.js'],
    ['by another path’s old content', 'git show v1:src/c.js > src/a.js'],
  ]
  test.for(detours)('%s', async ([, script], { world }) => {
    const story = await armAfter(world)

    story.act(script)
    const answer = await story.session.check('PostToolUse')

    expect(answer.decision, answer.stderr).toBe('block')
    expect(answer.reason).toContain('src/a.js')
    expect(story.repo.read('src/a.js')).toBe(LINES)
    expect(story.repo.status()).toBe('')
  })
})

describe('a fix beside what git merged is a fix:', () => {
  const acts: readonly (readonly [name: string, setup: string, script: string])[] = [
    ['cherry-pick -n', 'git checkout -q bottom', `git cherry-pick -n top; ${FIX}; git add src/a.js`],
    [
      'merge --squash',
      'git checkout -q bottom',
      `git merge -q --squash top >/dev/null; ${FIX}; git add src/a.js`,
    ],
    ['an octopus', 'git checkout -q bottom', `git merge -q --no-commit top topic; ${FIX}; git add src/a.js`],
    [
      'an autostash',
      "sed -i '9s/.*/mine/' src/a.js",
      `git pull -q --rebase --autostash; ${FIX}; git add src/a.js`,
    ],
  ]
  test.for(acts)('%s', async ([, setup, script], { world }) => {
    const story = await armAfter(world, setup)

    story.act(script)
    const answer = await story.session.check('PostToolUse')

    expect(answer.reason, answer.stderr).toContain('src/a.js')
    expect(story.repo.read('src/a.js')).not.toContain('fix')
    await expectSilent(story)
  })
})

test('a commit is no pick of a merge that holds it and was made in the same second', async ({ world }) => {
  const story = await armAfter(world)
  const topic = story.commit('topic')
  story.act(
    `export GIT_AUTHOR_DATE='1700000000 +0000'; git checkout -q topic; ${FIX}; git commit -qam fix; git checkout -q -b x bottom; git merge -q --no-edit topic`,
  )
  const fix = story.commit('topic')

  const answer = await story.session.check('PostToolUse')

  expectNamed(story, answer, fix)
  expect([story.commit('topic'), story.commit('x')]).toEqual([topic, story.commit('bottom')])
  await expectSilent(story)
})

describe('a fix that is only staged is put back:', () => {
  const ways: readonly (readonly [name: string, script: string])[] = [
    [
      'by add and a work tree that is clean again',
      `${FIX}; git add src/a.js; git show HEAD:src/a.js > src/a.js`,
    ],
    [
      'by update-index',
      'git update-index --cacheinfo "100644,$(echo fix | git hash-object -w --stdin),src/a.js"',
    ],
    ['by apply --cached', `${FIX}; git diff > ../p; git checkout -q -- src/a.js; git apply --cached ../p`],
    ['by rm --cached', 'git rm -q --cached src/a.js'],
  ]
  test.for(ways)('%s', async ([, script], { world }) => {
    const story = await armAfter(world)
    const index = story.repo.index()

    story.act(script)
    const answer = await story.session.check('PostToolUse')

    expect(answer.decision, answer.stderr).toBe('block')
    expect(story.repo.index()).toBe(index)
    expect(story.repo.read('src/a.js')).toBe(LINES)
    await expectSilent(story)
  })

  test('over the user’s own staged text, which comes back', async ({ world }) => {
    const story = await armAfter(
      world,
      'sed -i 2s/.*/user/ src/a.js; git add src/a.js; git checkout -q HEAD -- src/b.js',
    )
    const before = [story.repo.index(), story.repo.git('diff', '--cached')]

    story.act('git update-index --cacheinfo "100644,$(echo fix | git hash-object -w --stdin),src/a.js"')
    await story.session.check('PostToolUse')

    expect([story.repo.index(), story.repo.git('diff', '--cached')]).toEqual(before)
  })
})

describe('a conflict resolution is a fix:', () => {
  const conflicts: readonly (readonly [name: string, start: string])[] = [
    ['of a merge', 'git checkout -q top; git merge -q clash >/dev/null || true'],
    ['of a cherry-pick', 'git checkout -q top; git cherry-pick clash >/dev/null 2>&1 || true'],
    ['of a rebase', 'git checkout -q clash; git rebase -q top >/dev/null 2>&1 || true'],
    [
      'of a stash pop',
      'sed -i 1s/.*/mine/ src/a.js; git stash push -q; git checkout -q top; git stash pop -q >/dev/null || true',
    ],
  ]
  test.for(conflicts)('%s, in the work tree', async ([name, start], { world }) => {
    const story = await armAfter(
      world,
      name === 'of a stash pop' ? 'sed -i 1s/.*/mine/ src/a.js; git stash push -q' : '',
    )
    story.act(name === 'of a stash pop' ? 'git checkout -q top; git stash pop -q >/dev/null || true' : start)
    await story.session.check('PostToolUse')
    const before = { text: story.repo.read('src/a.js'), stages: story.repo.git('ls-files', '-u') }

    story.act('echo resolved > src/a.js')
    const answer = await story.session.check('PostToolUse')

    expect(answer.reason).toContain('src/a.js')
    expect(before.text).toContain('<<<<<<<')
    expect({ text: story.repo.read('src/a.js'), stages: story.repo.git('ls-files', '-u') }).toEqual(before)
  })
})
