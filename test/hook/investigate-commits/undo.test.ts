import { describe, expect } from 'vitest'
import type { HookAnswer } from '../../helpers/run-hook.ts'
import { copiesIn } from '../../helpers/standard.ts'
import { test } from '../../helpers/world.ts'
import {
  armAfter,
  COMMIT,
  expectFolded,
  expectNamed,
  expectSilent,
  isReachable,
  LINES,
  type Story,
} from './story.ts'

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
