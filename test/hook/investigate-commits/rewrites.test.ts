import { describe, expect } from 'vitest'
import { test } from '../../helpers/world.ts'
import { armAfter, expectNamed, expectSilent, FIX, isReachable, LINES } from './story.ts'

describe('rewritten history that brings new content goes back to the tip of before:', () => {
  const rewrites: readonly (readonly [name: string, script: string, setup?: string])[] = [
    ['an amend', `${FIX}; git commit -qa --amend --no-edit`],
    ['a reset and a commit', `git reset -q --soft HEAD~1; ${FIX}; git commit -qam other`],
    [
      'a hard reset below the branch and a commit',
      `git reset -q --hard HEAD~1; ${FIX}; git commit -qam other`,
    ],
    ['a rebase that amends on its way', `git rebase -q -x "${FIX}; git commit -qa --amend --no-edit" HEAD~1`],
    [
      'a rebase with a commit on top',
      `git rebase -q top; ${FIX}; git commit -qam fix`,
      'git checkout -q topic',
    ],
    ['an amend of an amend', `git commit -q --amend -m other; ${FIX}; git commit -qa --amend --no-edit`],
  ]
  test.for(rewrites)('%s', async ([, script, setup], { world }) => {
    const story = await armAfter(world, setup)
    const [tip, before] = [story.commit('HEAD'), story.repo.snapshot()]
    story.act(script)
    const fix = story.commit('HEAD')

    const answer = await story.session.check('PostToolUse')

    expectNamed(story, answer, fix)
    expect(story.commit('HEAD')).toBe(tip)
    expect(story.repo.snapshot().workTree).toEqual(before.workTree)
    expect(story.repo.status()).toBe('')
    await expectSilent(story)
  })
})

test('an amend of the first commit that deletes a file is undone', async ({ world }) => {
  const story = await armAfter(world, 'git checkout -q -b first v1')
  const first = story.commit('HEAD')
  story.act('git rm -q src/b.js; git commit -q --amend --no-edit')
  const fix = story.commit('HEAD')

  const answer = await story.session.check('PostToolUse')

  expectNamed(story, answer, fix)
  expect(answer.reason).toContain('src/b.js')
  expect(story.commit('first')).toBe(first)
  expect(story.repo.status()).toBe('')
  await expectSilent(story)
})

describe('plumbing', () => {
  const PLUMB = `${FIX}; git add src/a.js; C=$(git commit-tree -m fix -p HEAD "$(git write-tree)")`

  test('that moves the checked-out branch is undone', async ({ world }) => {
    const story = await armAfter(world)
    const main = story.commit('main')
    story.act(`${PLUMB}; git update-ref refs/heads/main $C`)

    const answer = await story.session.check('PostToolUse')

    expectNamed(story, answer, story.commit('main@{1}'))
    expect(story.commit('main')).toBe(main)
    expect(story.repo.status()).toBe('')
  })

  test('that moves another branch is undone', async ({ world }) => {
    const story = await armAfter(world)
    const top = story.commit('top')
    story.act(`${PLUMB}; git update-ref refs/heads/top $C; git reset -q --hard`)

    const answer = await story.session.check('PostToolUse')

    expect(answer.decision).toBe('block')
    expect(story.commit('top')).toBe(top)
  })

  test('that writes no reflog is undone, and a ref keeps the commit', async ({ world }) => {
    const story = await armAfter(world, 'git config core.logAllRefUpdates false; rm -r .git/logs')
    story.act(`${PLUMB}; git update-ref refs/heads/top $C; git reset -q --hard`)
    const fix = story.commit('top')

    const answer = await story.session.check('PostToolUse')

    expectNamed(story, answer, fix)
    expect(story.commit(`refs/gstack-gates/undone/${fix}`)).toBe(fix)
    expect(isReachable(story, fix)).toBe(true)
    await expectSilent(story)
  })

  test('that makes a commit nobody names is no business of the gate', async ({ world }) => {
    const story = await armAfter(world)
    story.act(`${PLUMB}; git reset -q --hard; echo $C > ../commit`)

    await expectSilent(story)
  })
})

describe('a commit of gated and other files', () => {
  test('leaves the others on disk and staged, and names them', async ({ world }) => {
    const story = await armAfter(world)
    story.act(
      `${FIX}; echo doc >> README.md; echo new > src/new.js; git rm -q test/a.test.js; git add .; git commit -qm all`,
    )

    const answer = await story.session.check('PostToolUse')

    expect(story.repo.status()).toBe('M  README.md\nA  src/new.js\nD  test/a.test.js')
    expect(story.repo.read('README.md')).toBe('# a\ndoc\n')
    expect(answer.reason).toMatch(/still staged: README\.md, src\/new\.js, test\/a\.test\.js/)
    await expectSilent(story)
  })

  test('gives a file back that it deleted', async ({ world }) => {
    const story = await armAfter(world)
    story.act('git rm -q src/a.js; git commit -qm gone')

    const answer = await story.session.check('PostToolUse')

    expect(answer.reason).toContain('src/a.js')
    expect(story.repo.read('src/a.js')).toBe(LINES)
    expect(story.repo.status()).toBe('')
  })

  test('gives a file back that it renamed; the new name stays', async ({ world }) => {
    const story = await armAfter(world)
    story.act('git mv src/a.js src/moved.js; git commit -qm moved')

    await story.session.check('PostToolUse')

    expect(story.repo.read('src/a.js')).toBe(LINES)
    expect(story.repo.status()).toBe('A  src/moved.js')
    await expectSilent(story)
  })

  test('keeps what the user had staged and not staged before', async ({ world }) => {
    const story = await armAfter(
      world,
      'echo staged > src/b.js; git add src/b.js; sed -i 2s/.*/half/ src/a.js; git add src/a.js; sed -i 3s/.*/loose/ src/a.js',
    )
    const before = [story.repo.status(), story.repo.git('diff', '--cached'), story.repo.git('diff')]
    story.act(`${FIX}; git commit -qam all`)

    await story.session.check('PostToolUse')

    expect([story.repo.status(), story.repo.git('diff', '--cached'), story.repo.git('diff')]).toEqual(before)
    await expectSilent(story)
  })
})
