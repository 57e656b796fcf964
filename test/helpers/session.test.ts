import { readFileSync, readdirSync } from 'node:fs'
import { expect } from 'vitest'
import { stopPayload, toolPayload } from './payload.ts'
import { readMarkers } from './run-hook.ts'
import { test } from './world.ts'

type Json = Record<string, unknown>

const recordsOf = (file: string) =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Json)

const facts = { sessionId: 's', transcript: '/t/s.jsonl', cwd: '/r' }
const call = { id: 'toolu_1', tool: 'Bash', input: { command: 'ls' } }

test('a payload has the keys that the client sends', () => {
  const pre = toolPayload('PreToolUse', facts, call)
  const inSubagent = toolPayload(
    'PostToolUse',
    { ...facts, agent: { id: 'a1', type: 'general-purpose' } },
    call,
  )
  const failure = toolPayload('PostToolUseFailure', facts, call)
  const stop = stopPayload(facts, 'Done.')

  expect(Object.keys(pre).join(' ')).toMatchInlineSnapshot(
    `"session_id transcript_path cwd prompt_id permission_mode effort hook_event_name tool_name tool_input tool_use_id"`,
  )
  expect(Object.keys(inSubagent).join(' ')).toMatchInlineSnapshot(
    `"session_id transcript_path cwd prompt_id permission_mode agent_id agent_type effort hook_event_name tool_name tool_input tool_use_id tool_response duration_ms"`,
  )
  expect(Object.keys(failure).join(' ')).toMatchInlineSnapshot(
    `"session_id transcript_path cwd prompt_id permission_mode effort hook_event_name tool_name tool_input tool_use_id error is_interrupt duration_ms"`,
  )
  expect(Object.keys(stop).join(' ')).toMatchInlineSnapshot(
    `"session_id transcript_path cwd prompt_id permission_mode effort hook_event_name stop_hook_active last_assistant_message background_tasks session_crons"`,
  )
})

test("a subagent's stop names its own transcript and the main session's", () => {
  const payload = stopPayload({ ...facts, agent: { id: 'a1', type: 'general-purpose' } }, 'Done.')

  expect(payload).toMatchObject({
    hook_event_name: 'SubagentStop',
    transcript_path: '/t/s.jsonl',
    agent_transcript_path: '/t/s/subagents/agent-a1.jsonl',
  })
})

test('a story becomes one record per block, in order, with the session on each', ({ world }) => {
  const repo = world.repo('plain')
  const session = world
    .session()
    .prompts('fix the cart')
    .loads('investigate', 'typed')
    .says('Looking.')
    .reads('src/cart.js')

  const records = recordsOf(session.transcript.file)

  expect(records.map((record) => record['type']).join(' ')).toBe(
    'queue-operation queue-operation user user user assistant assistant user',
  )
  expect(records.every((record) => record['sessionId'] === session.id)).toBe(true)
  expect(records.at(-1)).toMatchObject({ isSidechain: false, cwd: repo.folder, message: { role: 'user' } })
})

test('the blocks of one message share its id', ({ world }) => {
  world.repo('plain')
  const session = world.session().prompts('fix').says('Looking.').greps('cart').says('Next.')

  const ids = recordsOf(session.transcript.file)
    .filter((record) => record['type'] === 'assistant')
    .map((record) => (record['message'] as Json)['id'])

  expect(ids[0]).toBe(ids[1])
  expect(ids[2]).not.toBe(ids[0])
})

test("a subagent's records lie beside the main transcript and are sidechain records", ({ world }) => {
  world.repo('plain')
  const session = world.session().prompts('fix')
  const subagent = session.subagent('a123').says('Child.')

  expect(subagent.transcript.file).toBe(
    session.transcript.file.replace('.jsonl', '/subagents/agent-a123.jsonl'),
  )
  expect(recordsOf(subagent.transcript.file).at(-1)).toMatchObject({
    isSidechain: true,
    agentId: 'a123',
    sessionId: session.id,
  })
})

test('a world has the skills installed and nothing in its state root', ({ world }) => {
  expect(readdirSync(`${world.configDir}/skills`).sort()).toEqual(['investigate', 'plan-ceo-review'])
  expect(readdirSync(world.stateRoot)).toEqual([])
})

test('markers are read from lines of their own', () => {
  const text = 'GSTACK_GATE investigate-gate blocked session=s1 via=edit files=2\nother GSTACK_GATE x'

  expect(readMarkers(text)).toEqual([
    { hook: 'investigate-gate', event: 'blocked', session: 's1', fields: { via: 'edit', files: '2' } },
  ])
})

test('a test that forgot to choose a git configuration fails', async ({ world }) => {
  const ran = await world.run('git', ['config', '--get', 'user.name'], { env: process.env })

  expect(ran.exitCode).not.toBe(0)
  expect(ran.stderr).toContain('unchosen.gitconfig')
})
