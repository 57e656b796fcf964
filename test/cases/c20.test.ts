import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { chooseCaseEnvironment } from '../helpers/case.ts'
import type { Session } from '../helpers/session.ts'
import { test, type World } from '../helpers/world.ts'

const TRANSCRIPT = `{"type":"user","uuid":"u1","timestamp":"2026-01-05T10:00:00.000Z","message":{"role":"user","content":"<command-message>investigate</command-message>\\n<command-name>/investigate</command-name>"}}
{"type":"assistant","uuid":"a1","timestamp":"2026-01-05T10:00:05.000Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Read","input":{"file_path":"src/cart.js"}}]}}
{"type":"user","uuid":"u2","timestamp":"2026-01-05T10:00:06.000Z","message":{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"a"}]}}
`
const CAUSE = 'Root cause: src/cart.js:1 adds the discount twice'

async function armedWithLag(world: World) {
  chooseCaseEnvironment(world)
  const repo = await world.shellRepo("new_repo; printf 'a\\n' > src/cart.js; save")
  const session = world.session()
  session.transcript.raw(TRANSCRIPT)
  const first = await session.hook('PreToolUse', { recorded: false })
  expect(first.markers).toMatchObject([{ event: 'fired' }])
  repo.sh('echo fix >> src/cart.js')
  return { repo, session }
}

const releasesOf = (session: Session) =>
  readFileSync(join(session.stateFolder, 'record.json'), 'utf8').split('"released_at"').length - 1

test('C20: the last message of the payload releases the gate when the file does not have it yet', async ({
  world,
}) => {
  const { repo, session } = await armedWithLag(world)

  const stop = await session.hook('Stop', { payload: { last_assistant_message: CAUSE } })

  expect(stop.decision).toBeUndefined()
  expect(stop.markers).toMatchObject([{ event: 'released' }])
  expect(repo.read('src/cart.js')).toBe('a\nfix\n')
})

test('C20: the same message in the file later does not release a second time', async ({ world }) => {
  const { repo, session } = await armedWithLag(world)
  await session.hook('Stop', { payload: { last_assistant_message: CAUSE } })
  session.says(CAUSE)
  session.transcript.bare({ type: 'system', subtype: 'stop_hook_summary' })
  session.transcript.attachment({ type: 'hook_success', content: '' })

  const answers = [
    await session.check('PreToolUse'),
    await session.check('PostToolUse'),
    await session.stop('Done.'),
  ]

  expect(answers.map(({ stdout }) => stdout)).toEqual(['', '', ''])
  expect(releasesOf(session)).toBe(1)
  expect(repo.read('src/cart.js')).toBe('a\nfix\n')
})

test('C20: records behind the message do not hide it', async ({ world }) => {
  const { session } = await armedWithLag(world)
  session.says(CAUSE)
  session.transcript.bare({ type: 'system', subtype: 'stop_hook_summary' })
  session.transcript.attachment({ type: 'hook_success', content: '' })

  const stop = await session.hook('Stop', { payload: { last_assistant_message: undefined } })

  expect(stop.markers).toMatchObject([{ event: 'released' }])
})

test('C20: a write whose cause reached the file only after PreToolUse stays', async ({ world }) => {
  const { repo, session } = await armedWithLag(world)
  session.says(CAUSE)
  session.transcript.toolUse('toolu_same', 'Bash', { command: 'echo fix >> src/cart.js' })

  const post = await session.hook('PostToolUse', { id: 'toolu_same', recorded: false })

  expect(post.decision).toBeUndefined()
  expect(repo.read('src/cart.js')).toBe('a\nfix\n')
})

test('C20: a write whose cause is not to be seen is put back, with its copy and the way to recover', async ({
  world,
}) => {
  const { repo, session } = await armedWithLag(world)

  const post = await session.hook('PostToolUse', { id: 'toolu_same', recorded: false })

  expect(post.decision).toBe('block')
  expect(post.reason).toContain(session.stateFolder)
  expect(repo.read('src/cart.js')).toBe('a\n')
})
