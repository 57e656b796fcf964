import { describe, expect } from 'vitest'
import type { HookAnswer } from '../../helpers/run-hook.ts'
import { copiesIn } from '../../helpers/standard.ts'
import { test } from '../../helpers/world.ts'
import {
  armAfter,
  expectFolded,
  expectNamed,
  expectSilent,
  FIX,
  isReachable,
  LINES,
  type Story,
} from './story.ts'

const COMMIT = `${FIX}; git commit -qam fix`

describe('a fix commit is undone', () => {
  test('on the same branch, to its tip of before', async ({ world }) => {
    const story = await armAfter(world)
    const before = story.repo.snapshot()
    story.act(COMMIT)
    const fix = story.commit('HEAD')

    const answer = await story.session.check('PostToolUse')

    expectNamed(story, answer, fix)
    expect(story.repo.snapshot()).toEqual({ ...before, gitFolder: story.repo.snapshot().gitFolder })
    await expectSilent(story)
  })

  test('and what it held is in a copy that the block names', async ({ world }) => {
    const story = await armAfter(world)
    story.act(COMMIT)

    const answer = await story.session.check('PostToolUse')

    const copies = await world.run('cat', copiesIn(answer.reason, story.session))
    expect(copies.stdout).toBe(LINES.replace('7', 'fix'))
  })

  test('and stays reachable, and its branch has a reflog entry for it', async ({ world }) => {
    const story = await armAfter(world)
    story.act(COMMIT)
    const fix = story.commit('HEAD')

    await story.session.check('PostToolUse')

    expect(story.commit('main@{1}')).toBe(fix)
    expect(isReachable(story, fix)).toBe(true)
  })

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

  test('on a detached HEAD that has no older commit below it: HEAD goes back to the commit of before', async ({
    world,
  }) => {
    const story = await armAfter(world)
    const main = story.commit('main')
    story.act(`git checkout -q --detach v1; ${FIX}; git commit -qa --amend --no-edit`)
    const fix = story.commit('HEAD')

    const answer = await story.session.check('PostToolUse')

    expectNamed(story, answer, fix)
    expect(story.commit('HEAD')).toBe(main)
    expect(isReachable(story, fix)).toBe(true)
    await expectSilent(story)
  })

  test('with the commits below and above it', async ({ world }) => {
    const story = await armAfter(world)
    const main = story.commit('main')
    story.act(
      `echo doc >> README.md; git commit -qam doc; ${COMMIT}; echo t >> test/a.test.js; git commit -qam test`,
    )

    const answer = await story.session.check('PostToolUse')

    expect(story.commit('main')).toBe(main)
    expect(answer.reason).toMatch(/still staged: .*README\.md.*test\/a\.test\.js/)
    expect(story.repo.status()).toBe('M  README.md\nM  test/a.test.js')
    await expectSilent(story)
  })

  test('down to a docs commit that an earlier check let pass', async ({ world }) => {
    const story = await armAfter(world)
    await expectFolded(story, 'echo doc >> README.md; git commit -qam doc')
    const doc = story.commit('HEAD')
    story.act(COMMIT)

    await story.session.check('PostToolUse')

    expect(story.commit('main')).toBe(doc)
    expect(story.repo.status()).toBe('')
  })

  test('and another one after it', async ({ world }) => {
    const story = await armAfter(world)
    const main = story.commit('main')
    story.act(COMMIT)
    await story.session.check('PostToolUse')
    story.act('echo again >> src/b.js; git commit -qam again')

    const answer = await story.session.check('PostToolUse')

    expect(answer.reason).toContain('src/b.js')
    expect(story.commit('main')).toBe(main)
    expect(story.repo.status()).toBe('')
  })

  test('again when a reflog brings it back', async ({ world }) => {
    const story = await armAfter(world)
    const main = story.commit('main')
    story.act(COMMIT)
    await story.session.check('PostToolUse')
    story.act("git reset -q --hard 'HEAD@{1}'")

    const answer = await story.session.check('PostToolUse')

    expect(answer.decision).toBe('block')
    expect(story.commit('main')).toBe(main)
    expect(story.repo.status()).toBe('')
  })

  test('and is no old content in a later session, though the reflog has it', async ({ world }) => {
    const story = await armAfter(world)
    story.act(COMMIT)
    await story.session.check('PostToolUse')
    const later = world.session().prompts('Once more.').loads('investigate')
    await later.arm()

    story.act("git checkout -q 'main@{1}' -- src/a.js")
    const answer = await later.check('PostToolUse')

    expect(answer.decision).toBe('block')
    expect(story.repo.read('src/a.js')).toBe(LINES)
  })

  test('but is old content in a later session that finds it on a branch', async ({ world }) => {
    const story = await armAfter(world)
    story.act(COMMIT)
    await story.session.check('PostToolUse')
    story.act("git branch kept 'main@{1}'")
    const later = world.session().prompts('Once more.').loads('investigate')
    await later.arm()

    story.act('git checkout -q kept -- src/a.js')
    const answer = await later.check('PostToolUse')

    expect(answer.decision).toBeUndefined()
  })

  test('at a Stop and at a PreToolUse, too', async ({ world }) => {
    const story = await armAfter(world)
    const main = story.commit('main')

    story.act(COMMIT)
    const stop = await story.session.stop()
    story.act(COMMIT)
    const pre = await story.session.check('PreToolUse')

    expect([stop.decision, pre.decision]).toEqual(['block', 'deny'])
    expect(story.commit('main')).toBe(main)
  })
})

describe('a branch that another git moves right before the undo', () => {
  /** Runs a check of a fix commit, with a script at the moment between judging it and taking the branch's lock. */
  async function checkWith(story: Story, script: string): Promise<HookAnswer> {
    story.act(COMMIT)
    const race = { GATE_RACE: `cd ${story.repo.folder}; ${script}` }
    return await story.session.hook('PostToolUse', {
      tool: 'Bash',
      command: 'true',
      run: { killPoint: 'count', preload: race },
    })
  }

  test('stays where an old commit is its tip now, and files go back to that', async ({ world }) => {
    const story = await armAfter(world)

    await checkWith(story, 'git update-ref refs/heads/main top')

    expect(story.commit('main')).toBe(story.commit('top'))
    expect(story.repo.read('src/a.js')).toBe(LINES.replace('1', 'top'))
    await expectSilent(story)
  })

  test('is judged again with the commits that came on top', async ({ world }) => {
    const story = await armAfter(world)
    const main = story.commit('main')

    const answer = await checkWith(story, 'echo own > own.txt; git add own.txt; git commit -qm own')

    expect(answer.decision, answer.stderr).toBe('block')
    expect(story.commit('main')).toBe(main)
    expect(story.repo.status()).toBe('A  own.txt')
    await expectSilent(story)
  })
})

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
