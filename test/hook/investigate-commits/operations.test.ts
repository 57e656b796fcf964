import { existsSync, readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { readWorkTree } from '../../helpers/file-states.ts'
import { test } from '../../helpers/world.ts'
import { armAfter, expectFolded, expectNamed, expectSilent, FIX, LINES, type Story } from './story.ts'

/** Everything that git keeps of an open merge. */
const mergeFiles = ({ repo }: Story): unknown =>
  ['MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE', 'AUTO_MERGE'].map((name) =>
    readFileSync(repo.path(`.git/${name}`), 'utf8'),
  )

const conflictOf = ({ repo }: Story): unknown => ({
  text: repo.read('src/a.js'),
  stages: repo.git('ls-files', '-u'),
})

const CONFLICT_MERGE = 'git checkout -q top; git merge -q clash >/dev/null || true'
const CONFLICT_REBASE = 'git checkout -q clash; git rebase -q top >/dev/null 2>&1 || true'
const RESOLVE = 'echo resolved > src/a.js; git add src/a.js'

const conflicts: readonly (readonly [operation: string, start: string, end: string, abort: string])[] = [
  ['merge', CONFLICT_MERGE, 'git commit -q --no-edit', 'git merge --abort'],
  ['rebase', CONFLICT_REBASE, 'git rebase --continue', 'git rebase --abort'],
  [
    'rebase by apply',
    'git checkout -q clash; git rebase -q --apply top >/dev/null 2>&1 || true',
    'git rebase --continue',
    'git rebase --abort',
  ],
  [
    'cherry-pick',
    'git checkout -q top; git cherry-pick clash >/dev/null 2>&1 || true',
    'git cherry-pick --continue',
    'git cherry-pick --abort',
  ],
  [
    'revert',
    'git checkout -q top; sed -i 1s/.*/x/ src/a.js; git commit -qam x; git checkout -q -b y; git revert HEAD~1 >/dev/null 2>&1 || true',
    'git revert --continue',
    'git revert --abort',
  ],
  [
    'am',
    'git checkout -q top; git format-patch -q -1 --stdout clash > ../p; git am -q -3 ../p >/dev/null 2>&1 || true',
    'git am --continue',
    'git am --abort',
  ],
]

describe.for(conflicts)('a %s that was open when the gate armed', ([operation, start, end, abort]) => {
  test('is no error, and arms', async ({ world }) => {
    const story = await armAfter(world, start)

    await expectSilent(story)
  })

  test('keeps conflict text and stages when a resolution is staged', async ({ world }) => {
    const story = await armAfter(world, start)
    const before = conflictOf(story)
    story.act(RESOLVE)

    const answer = await story.session.check('PostToolUse')

    expect(answer.reason).toContain('src/a.js')
    expect(conflictOf(story)).toEqual(before)
    await expectSilent(story)
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
    const before = conflictOf(story)
    story.act(RESOLVE)

    const answer = await story.session.check('PostToolUse')

    expect(answer.reason).toContain('src/a.js')
    expect(conflictOf(story)).toEqual(before)
    await expectSilent(story)
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
