import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import type { GateRecord, RunRecord, SessionRecord } from '../../src/core/record.ts'
import { sealedText } from '../../src/store/sealed.ts'
import { test, type World } from '../helpers/world.ts'

const AT = '2026-01-02T03:04:05.000Z'
const RUN: RunRecord = { skill: 'investigate', loads: ['toolu_1'], fired_at: AT, blocked: 0, observed: 0 }
const GATE: GateRecord = { runs: [RUN], errors: [], skipped: [], unchecked: 0 }

function record(world: World, session: string, gates: SessionRecord['gates'], updated_at = AT): void {
  writeRecord(world, session, sealedText({ version: 1, session, updated_at, gates }))
}

function writeRecord(world: World, session: string, text: string): void {
  const folder = join(world.stateRoot, 'skill-gates', session)
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'record.json'), text)
}

const report = (world: World, ...args: string[]) => world.program('gstack-skill-gates', 'report', ...args)

test('--json counts each gate of each session', async ({ world }) => {
  const runs = [
    { ...RUN, released_at: AT, cause: '0123456789ab', blocked: 2, observed: 1 },
    { ...RUN, loads: ['toolu_2'], blocked: 1 },
  ]
  record(world, 's1', { 'investigate-gate': { ...GATE, runs } })
  record(world, 's2', { 'ceo-review-gate': { ...GATE, runs: [{ ...RUN, exhausted_at: AT, blocked: 3 }] } })

  const ran = await report(world, '--json')

  expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
  expect(JSON.parse(ran.stdout)).toEqual({
    sessions: [
      {
        session: 's1',
        gates: {
          'investigate-gate': {
            runs: 2,
            fired: 2,
            blocked: 3,
            released: 1,
            exhausted: 0,
            observed: 1,
            unchecked: 0,
            errors: 0,
          },
        },
      },
      {
        session: 's2',
        gates: {
          'ceo-review-gate': {
            runs: 1,
            fired: 1,
            blocked: 3,
            released: 0,
            exhausted: 1,
            observed: 0,
            unchecked: 0,
            errors: 0,
          },
        },
      },
    ],
  })
})

test('the text is one table per session', async ({ world }) => {
  record(world, 's1', { 'investigate-gate': { ...GATE, runs: [{ ...RUN, blocked: 12, released_at: AT }] } })

  const ran = await report(world)

  expect(ran.stdout).toMatchInlineSnapshot(`
    "session s1, last decision 2026-01-02 03:04 UTC
                        runs  fired  blocked  released  exhausted  observed  unchecked  errors
      investigate-gate     1      1       12         1          0         0          0       0
    "
  `)
})

test('errors and reasons for not arming stand below the table, and that session comes first', async ({
  world,
}) => {
  record(world, 'a', { 'investigate-gate': GATE })
  record(world, 'b', {
    'investigate-gate': {
      ...GATE,
      errors: [{ at: AT, code: 'GATE_GIT', why: 'HEAD does not resolve' }],
      skipped: [{ at: AT, reason: 'bare' }],
    },
  })

  const ran = await report(world)

  expect(ran.stdout).toContain(`${AT} investigate-gate GATE_GIT: HEAD does not resolve`)
  expect(ran.stdout).toContain('investigate-gate did not arm: bare')
  expect(ran.stdout.indexOf('session b')).toBeLessThan(ran.stdout.indexOf('session a'))
})

test('--session leaves the others out', async ({ world }) => {
  record(world, 's1', { 'investigate-gate': GATE })
  record(world, 's2', { 'investigate-gate': GATE })

  const ran = await report(world, '--session', 's2', '--json')

  expect(JSON.parse(ran.stdout)).toMatchObject({ sessions: [{ session: 's2' }] })
})

test('a session id that looks like a number is taken as typed', async ({ world }) => {
  record(world, '007', { 'investigate-gate': GATE })

  const ran = await report(world, '--session', '007', '--expect', 'armed')

  expect(ran.exitCode).toBe(0)
})

test('several sessions are summed up below the last', async ({ world }) => {
  record(world, 's1', { 'investigate-gate': { ...GATE, runs: [{ ...RUN, blocked: 12 }] } })
  record(world, 's2', { 'investigate-gate': { ...GATE, runs: [RUN, { ...RUN, blocked: 1 }] } })

  const ran = await report(world)

  expect(ran.stdout.slice(ran.stdout.indexOf('2 sessions'))).toMatchInlineSnapshot(`
    "2 sessions
                        runs  fired  blocked  released  exhausted  observed  unchecked  errors
      investigate-gate     3      3       13         0          0         0          0       0
    "
  `)
})

describe('--since', () => {
  const ids = ({ stdout }: { stdout: string }) =>
    (JSON.parse(stdout) as { sessions: { session: string }[] }).sessions.map(({ session }) => session)

  test('leaves out what was decided before', async ({ world }) => {
    const hourAgo = new Date(Date.now() - 3_600_000).toISOString()
    record(world, 'old', { 'investigate-gate': GATE })
    record(world, 'new', { 'investigate-gate': GATE }, hourAgo)

    for (const when of ['2d', '90m', '1w', '2026-01-03', '2026-01-02T03:05Z'])
      expect(ids(await report(world, '--since', when, '--json'))).toEqual(['new'])
    for (const when of ['2026-01-02', '2026-01-02T03:04Z'])
      expect(ids(await report(world, '--since', when, '--json'))).toEqual(['new', 'old'])
  })

  test('counts a record that cannot be read all the same', async ({ world }) => {
    writeRecord(world, 's1', '{"version":')

    expect(await report(world, '--since', '1h')).toMatchObject({ exitCode: 3 })
  })

  test.for(['yesterday', '2', '3y', '2026-13-01', '-1d'])('%s is a usage error', async (when, { world }) => {
    const ran = await report(world, `--since=${when}`)

    expect(ran).toMatchObject({ exitCode: 1, stderr: expect.stringContaining('SKILL_GATES_USAGE') })
  })
})

test('without any record it says so', async ({ world }) => {
  const ran = await report(world)

  expect(ran).toMatchObject({ exitCode: 0, stdout: 'no session is recorded\n' })
})

describe('exit codes', () => {
  const cases: readonly [string, GateRecord, string[], number, string][] = [
    ['an armed session that is as it should be', GATE, ['--expect', 'armed'], 0, ''],
    ['a session that never armed', { ...GATE, runs: [] }, ['--expect', 'armed'], 2, 'GATE_NOT_ARMED'],
    ['a session that never armed, when nobody asks', { ...GATE, runs: [] }, [], 0, ''],
    [
      'a recorded error',
      { ...GATE, errors: [{ at: AT, code: 'GATE_GIT', why: 'x' }] },
      [],
      3,
      'GATE_ERRORED',
    ],
    [
      'a call that went through unchecked',
      { ...GATE, unchecked: 1 },
      ['--expect', 'armed'],
      3,
      'GATE_ERRORED',
    ],
    [
      'not armed and unchecked',
      { ...GATE, runs: [], unchecked: 1 },
      ['--expect', 'armed'],
      2,
      'GATE_NOT_ARMED',
    ],
  ]

  test.for(cases)('%s', async ([, gate, args, exitCode, code], { world }) => {
    record(world, 's1', { 'investigate-gate': gate })

    const ran = await report(world, ...args)

    expect(ran).toMatchObject({ exitCode, stderr: expect.stringContaining(code) })
  })

  test('--expect armed says which session never armed, or that there is none', async ({ world }) => {
    const none = await report(world, '--expect', 'armed')
    record(world, 's1', { 'investigate-gate': { ...GATE, runs: [] } })
    const one = await report(world, '--expect', 'armed')

    expect(none.stderr).toMatch(/^GATE_NOT_ARMED no session is recorded\n/)
    expect(one.stderr).toMatch(/^GATE_NOT_ARMED no gate ever armed in s1\n/)
  })

  test('--expect armed for a session without a record exits with 2', async ({ world }) => {
    const ran = await report(world, '--session', 'never-seen', '--expect', 'armed')

    expect(ran.exitCode).toBe(2)
  })

  test('a record that cannot be read exits with 3 and is named', async ({ world }) => {
    writeRecord(world, 's1', '{"version":')

    const ran = await report(world)

    expect(ran.exitCode).toBe(3)
    expect(ran.stdout).toContain(join('s1', 'record.json'))
  })
})

test('a hook that was killed is filed once: as an error and an unchecked call, in record and log', async ({
  world,
}) => {
  const mark = {
    pid: 0x7ffffff0,
    startedAt: '1',
    session: 's1',
    hook: 'investigate-gate',
    event: 'PostToolUse',
  }
  mkdirSync(join(world.stateRoot, 'skill-gates/.in-flight'), { recursive: true })
  writeFileSync(join(world.stateRoot, 'skill-gates/.in-flight/dead.json'), JSON.stringify(mark))
  record(world, 's1', { 'investigate-gate': GATE })

  const first = await report(world)
  const second = await report(world, '--json')

  expect(first).toMatchObject({ exitCode: 3, stdout: expect.stringContaining('GATE_KILLED') })
  expect(JSON.parse(second.stdout)).toMatchObject({
    sessions: [{ gates: { 'investigate-gate': { errors: 1, unchecked: 1 } } }],
  })
  expect(world.log()).toEqual([expect.stringContaining('event=error code=GATE_KILLED')])
})
