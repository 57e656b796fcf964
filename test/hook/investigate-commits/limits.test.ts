import { existsSync, mkdirSync, truncateSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test, type World } from '../../helpers/world.ts'
import { armAfter, expectSilent, FIX, LINES } from './story.ts'

const GIB = 1024 ** 3

describe('stops in a row', () => {
  test('after the third block put back and go through', async ({ world }) => {
    const story = await armAfter(world)
    const decisions: (string | undefined)[] = []
    for (let stop = 0; stop < 5; stop++) {
      story.act(FIX)
      decisions.push((await story.session.stop()).decision)
      expect(story.repo.read('src/a.js')).toBe(LINES)
    }

    expect(decisions).toEqual(['block', 'block', 'block', undefined, undefined])
  })

  test('count from the last tool call', async ({ world }) => {
    const story = await armAfter(world)
    for (let stop = 0; stop < 3; stop++) {
      story.act(FIX)
      await story.session.stop()
    }
    await story.session.bash('true')

    story.act(FIX)
    const answer = await story.session.stop()

    expect(answer.decision).toBe('block')
  })

  test('undo commits as well, and go through after the third', async ({ world }) => {
    const story = await armAfter(world)
    const main = story.commit('main')
    const decisions: (string | undefined)[] = []
    for (let stop = 0; stop < 4; stop++) {
      story.act(`${FIX}; git commit -qam fix`)
      decisions.push((await story.session.stop()).decision)
    }

    expect(decisions).toEqual(['block', 'block', 'block', undefined])
    expect(story.commit('main')).toBe(main)
  })
})

test('a path that cannot be put back blocks once per content', async ({ world }) => {
  const story = await armAfter(world)
  story.repo.remove('src/a.js')
  mkdirSync(story.repo.path('src/a.js'))
  story.repo.write('src/a.js/inside', 'x')

  const answers = [await story.session.check('PostToolUse'), await story.session.check('PostToolUse')]

  expect(answers[0]?.reason).toContain('GATE_RESTORE_FAILED')
  expect(answers[1]?.decision).toBeUndefined()
})

describe('a client that was restarted', () => {
  test('keeps a commit that its user made between', async ({ world }) => {
    const story = await armAfter(world)
    story.act(`${FIX}; git commit -qam user`)
    const [commit, acted] = [story.commit('HEAD'), story.repo.snapshot()]
    story.session.transcript.user('go on')

    world.env['CLAUDE_PID'] = '1'
    const answer = await story.session.check('PreToolUse')

    expect(answer.decision).toBeUndefined()
    expect(world.log().filter((line) => line.includes('event=observed'))).toHaveLength(1)
    expect(story.commit('main')).toBe(commit)
    expect(story.repo.snapshot()).toEqual(acted)
  })

  test('holds the same run from there on', async ({ world }) => {
    const story = await armAfter(world)
    story.act(`${FIX}; git commit -qam user`)
    const commit = story.commit('HEAD')
    world.env['CLAUDE_PID'] = '1'
    await story.session.check('PreToolUse')

    story.act('echo fix >> src/b.js; git commit -qam fix')
    const answer = await story.session.check('PostToolUse')

    expect(answer.decision).toBe('block')
    expect(story.commit('main')).toBe(commit)
    expect(story.repo.status()).toBe('')
    await expectSilent(story)
  })
})

test('kept copies that have reached 2 GiB: a fix is no longer put back, and said to be left', async ({
  world,
}) => {
  const story = await armAfter(world)
  story.act(FIX)
  await story.session.check('PostToolUse')
  const filler = join(story.session.stateFolder, 'kept/sparse')
  writeFileSync(filler, '')
  truncateSync(filler, 2 * GIB - 4_096)
  story.act(FIX)
  const below = await story.session.check('PostToolUse')
  truncateSync(filler, 2 * GIB)
  story.act(FIX)

  const above = await story.session.check('PostToolUse')

  expect(below.reason).not.toContain('GATE_RESTORE_FAILED')
  expect(above.reason).toContain('GATE_RESTORE_FAILED')
  expect(above.reason).toContain('2 GiB')
  expect(story.repo.read('src/a.js')).toContain('fix')
  expect((await story.session.check('PostToolUse')).decision).toBeUndefined()
})

describe('a session that nothing checked', () => {
  const checked = async (world: World, hours: number) => {
    const story = await armAfter(world)
    await story.session.check('PostToolUse')
    const time = new Date(Date.now() - hours * 3_600_000)
    const front = join(story.session.stateFolder, '../.front', `investigate-gate~${story.session.id}`)
    for (const file of [join(story.session.stateFolder, 'last-check'), front])
      if (existsSync(file)) utimesSync(file, time, time)
    story.act(`${FIX}; git commit -qam user`)
    return story
  }

  test('for over 12 hours is pinned anew: nothing is put back, nothing undone', async ({ world }) => {
    const story = await checked(world, 13)
    const acted = story.repo.snapshot()

    const answers = [await story.session.check('PreToolUse'), await story.session.check('PostToolUse')]

    expect(answers.map(({ decision }) => decision)).toEqual([undefined, undefined])
    expect(story.repo.snapshot()).toEqual(acted)
    expect(world.log().filter((line) => line.includes('why=restarted'))).toHaveLength(1)
  })

  test('for 11 hours is checked as ever', async ({ world }) => {
    const story = await checked(world, 11)

    expect((await story.session.check('PreToolUse')).decision).toBeDefined()
  })
})

test('a block names twenty files and counts the rest', async ({ world }) => {
  const story = await armAfter(
    world,
    'for i in $(seq 30); do echo $i > src/n$i.js; done; git add .; git commit -qm many',
  )
  story.act('for i in $(seq 30); do echo fix >> src/n$i.js; done; git commit -qam fix')

  const answer = await story.session.check('PostToolUse')

  expect(answer.reason).toContain('10 more')
  expect(answer.reason.match(/^- src\/n\d+\.js/gm)).toHaveLength(20)
  expect(story.repo.status()).toBe('')
})
