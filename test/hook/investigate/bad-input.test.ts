import { existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armed } from '../../helpers/armed.ts'
import { toolPayload } from '../../helpers/payload.ts'
import { runHook, type HookAnswer } from '../../helpers/run-hook.ts'
import type { Fields } from '../../helpers/transcript.ts'
import { test, type World } from '../../helpers/world.ts'

const CALL = { id: 'toolu_1', tool: 'Bash', input: { command: 'ls' } }
const payloadIn = (world: World): Fields =>
  toolPayload(
    'PreToolUse',
    { sessionId: 's-1', transcript: join(world.home, 't.jsonl'), cwd: world.home },
    CALL,
  )

function expectCode(answer: HookAnswer, code: string): void {
  expect(answer).toMatchObject({ exitCode: 0, decision: undefined })
  expect(answer.stderr).toContain(code)
  expect(answer.markers).toMatchObject([{ hook: 'investigate-gate', event: 'error', fields: { code } }])
}

describe('a hook input that is no payload ends in GATE_BAD_PAYLOAD, never in a block:', () => {
  const inputs: readonly [string, string][] = [
    ['nothing', ''],
    ['no JSON', 'hello'],
    ['JSON cut off', '{"session_id": "s-1", "transcript_path": "/t'],
    ['a list', '[]'],
    ['a number', '7'],
    ['null', 'null'],
    ['an empty object', '{}'],
    ['deep nesting', '['.repeat(100_000)],
  ]
  for (const [name, input] of inputs) {
    test(name, async ({ world }) => {
      expectCode(await runHook(world, input), 'GATE_BAD_PAYLOAD')
    })
  }

  const fields: readonly [string, Fields][] = [
    ['session_id missing', { session_id: undefined }],
    ['session_id a number', { session_id: 7 }],
    ['transcript_path missing', { transcript_path: undefined }],
    ['transcript_path empty', { transcript_path: '' }],
    ['transcript_path a list', { transcript_path: [] }],
    ['hook_event_name missing', { hook_event_name: undefined }],
    ['cwd missing', { cwd: undefined }],
    ['tool_name an object', { tool_name: {} }],
  ]
  for (const [name, override] of fields) {
    test(name, async ({ world }) => {
      const answer = await runHook(world, JSON.stringify({ ...payloadIn(world), ...override }))

      expectCode(answer, 'GATE_BAD_PAYLOAD')
    })
  }

  test('over 1 MiB of short strings', async ({ world }) => {
    const many = Object.fromEntries(
      Array.from({ length: 40_000 }, (_, index) => [`key-${String(index)}`, 'x'.repeat(20)]),
    )

    expectCode(await runHook(world, { ...payloadIn(world), tool_input: many }), 'GATE_BAD_PAYLOAD')
  })

  test('over 64 MiB', async ({ world }) => {
    const input = { command: 'x'.repeat(65 * 1024 * 1024) }

    expectCode(await runHook(world, { ...payloadIn(world), tool_input: input }), 'GATE_BAD_PAYLOAD')
  })

  for (const id of [
    '../escape',
    'a/b',
    '.hidden',
    '..',
    'x'.repeat(300),
    'new\nline',
    'nul\0',
    'blank id',
    '-rf',
  ]) {
    test(`a session id that is no safe file name: ${JSON.stringify(id.slice(0, 20))}`, async ({ world }) => {
      const answer = await runHook(world, { ...payloadIn(world), session_id: id })

      expectCode(answer, 'GATE_BAD_PAYLOAD')
      expect(existsSync(join(world.stateRoot, 'escape'))).toBe(false)
      expect(readdirSync(world.home).sort()).toEqual(['.claude', '.gstack'])
      expect(world.log().join('\n')).not.toContain('\0')
    })
  }

  test('in a session whose id is readable, it counts in its record', async ({ world }) => {
    const { session } = await armed(world)
    await session.hook('PreToolUse', { payload: { cwd: undefined } })

    const { stdout, exitCode } = await world.program(
      'gstack-skill-gates',
      'report',
      '--json',
      '--session',
      session.id,
    )

    expect(JSON.parse(stdout)).toMatchObject({ sessions: [{ gates: { 'investigate-gate': { errors: 1 } } }] })
    expect(exitCode).toBe(3)
  })
})

describe('a payload is read all the same', () => {
  test('with a Write of 5 MB, which is denied', async ({ world }) => {
    const { repo, session } = await armed(world)

    const answer = await session.edit(repo.path('src/cart.js'), 'x\n'.repeat(2_500_000), { tool: 'Write' })

    expect(answer.decision).toBe('deny')
  })

  test('with fields that nobody knows', async ({ world }) => {
    const { session } = await armed(world)

    const answer = await session.hook('PreToolUse', {
      payload: { future: { of: ['the', 'client'] }, effort: null },
    })

    expect(answer.stdout).toBe('')
  })

  test('with a key given twice, of which the last counts as for JSON.parse', async ({ world }) => {
    const { repo, session } = await armed(world)
    const payload = JSON.stringify({
      ...payloadIn(world),
      session_id: session.id,
      transcript_path: session.transcript.file,
      cwd: repo.folder,
      tool_name: 'Edit',
      tool_input: { file_path: repo.path('src/cart.js') },
    })

    const answer = await runHook(
      world,
      payload.replace('{', '{"session_id":"someone-else","tool_name":"Read",'),
    )

    expect(answer.decision).toBe('deny')
  })

  test('with another session_id inside tool_input', async ({ world }) => {
    const { repo, session } = await armed(world)

    const answer = await session.hook('PreToolUse', {
      tool: 'Edit',
      input: { file_path: repo.path('src/cart.js'), session_id: 'someone-else' },
    })

    expect(answer.decision).toBe('deny')
  })
})

describe('a transcript that cannot be used ends in GATE_TRANSCRIPT, never in a block:', () => {
  test('a missing one, once per session; later calls count as unchecked', async ({ world }) => {
    const repo = world.repo('plain')
    const session = world.session()
    const missing = { payload: { transcript_path: join(world.home, 'missing.jsonl') } }

    const first = await session.hook('PreToolUse', missing)
    const later = [await session.hook('PostToolUse', missing), await session.hook('PreToolUse', missing)]
    const { stdout } = await world.program('gstack-skill-gates', 'report', '--json', '--session', session.id)

    expectCode(first, 'GATE_TRANSCRIPT')
    expect(later.map((answer) => answer.stdout)).toEqual(['', ''])
    expect(JSON.parse(stdout)).toMatchObject({
      sessions: [{ gates: { 'investigate-gate': { errors: 1, unchecked: 3 } } }],
    })
    expect(repo.status()).toBe('')
  })

  test('one over 32 MiB, without reading it', async ({ world }) => {
    const { repo, session } = await armed(world)
    truncateSync(session.transcript.file, 33 * 1024 * 1024)
    repo.append('src/cart.js', 'fix\n')

    const answer = await session.check('PostToolUse')

    expectCode(answer, 'GATE_TRANSCRIPT')
    expect(answer.ms).toBeLessThan(3_000)
  })

  test('one in which no line is JSON', async ({ world }) => {
    world.repo('plain')
    const session = world.session()
    session.transcript.raw('what is this\nand this\n')

    expectCode(await session.hook('PreToolUse', { recorded: false }), 'GATE_TRANSCRIPT')
  })

  test('one whose turns have an unknown shape', async ({ world }) => {
    world.repo('plain')
    const session = world.session()
    session.transcript.raw(
      '{"type":"user","message":{"role":"user","content":7}}\n{"type":"assistant","message":{"content":{}}}\n',
    )

    expectCode(await session.hook('PreToolUse', { recorded: false }), 'GATE_TRANSCRIPT')
  })

  test('a folder', async ({ world }) => {
    world.repo('plain')

    const answer = await world.session().hook('PreToolUse', { payload: { transcript_path: world.home } })

    expectCode(answer, 'GATE_TRANSCRIPT')
  })
})

describe('state that cannot be used ends in GATE_STATE, never in a block:', () => {
  test('a record that is no JSON', async ({ world }) => {
    const { session } = await armed(world)
    writeFileSync(join(session.stateFolder, 'record.json'), '{"version": 1, "sess')

    const answer = await session.edit('src/cart.js', 'fixed\n')

    expect(answer).toMatchObject({ exitCode: 0, decision: undefined })
    expect(answer.stderr).toContain('GATE_STATE')
  })

  test('a state root that is a file', async ({ world }) => {
    world.repo('plain')
    const session = world.session().loads('investigate')
    writeFileSync(join(world.home, 'file'), '')
    world.env['GSTACK_STATE_ROOT'] = join(world.home, 'file')

    const answer = await session.arm()

    expect(answer).toMatchObject({ exitCode: 0, decision: undefined })
    expect(answer.stderr).toContain('GATE_STATE')
  })
})

test('an unknown event is answered with nothing', async ({ world }) => {
  const { session } = await armed(world)

  const answer = await session.hook('PreToolUse', { payload: { hook_event_name: 'FutureEvent' } })

  expect(answer).toMatchObject({ exitCode: 0, stdout: '' })
})
