import { expect } from 'vitest'
import { chooseCaseEnvironment } from '../helpers/case.ts'
import { test, type World } from '../helpers/world.ts'

const LINES = [
  '{"type":"user","uuid":"u1","timestamp":"2026-01-05T10:00:00.000Z","message":{"role":"user","content":"<command-name>/investigate</command-name>"}}\n',
  '{"type":"attachment","uuid":"x1","attachm',
  '{"type":"system","uuid":"s1","content":"glued"}\n',
  '\n',
  `${'\0'.repeat(64)}\n`,
  '{"type":"assistant","uuid":"a1","timestamp":"2026-01-05T10:01:00.000Z","message":{"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"Grep","input":{"pattern":"a"}}]}}\n',
  '{"type":"assistant","uuid":"a2","timestamp":"2026-01-05T10:02:00.000Z","message":{"role":"assistant","content":[{"type":"text","text":"Root cause: src/a.js:1 wrong constant"}]}}\n',
  '{"type":"assistant","uuid":"a3","mess',
]

async function sessionWith(world: World, lines: readonly string[]) {
  chooseCaseEnvironment(world)
  await world.shellRepo("new_repo; printf 'a\\n' > src/a.js; save")
  const session = world.session()
  session.transcript.raw(lines.join(''))
  return session
}

test('C21: good lines before broken ones arm the gate', async ({ world }) => {
  const session = await sessionWith(world, LINES.slice(0, 5))

  const answer = await session.edit('src/a.js', 'fix\n', { recorded: false })

  expect(answer.decision).toBe('deny')
})

test('C21: good lines after broken ones release it, and a cut-off last line is no error', async ({
  world,
}) => {
  const session = await sessionWith(world, LINES.slice(0, 5))
  await session.edit('src/a.js', 'fix\n', { recorded: false })
  session.transcript.raw(LINES.slice(5).join(''))

  const answer = await session.hook('PreToolUse', {
    tool: 'Edit',
    input: { file_path: 'src/a.js' },
    recorded: false,
  })

  expect(answer.decision, answer.reason).toBeUndefined()
  expect(answer.markers.map(({ event }) => event)).toContain('released')
})

test('C21: the whole file read at once arms and releases', async ({ world }) => {
  const session = await sessionWith(world, LINES)

  const answer = await session.hook('PreToolUse', { recorded: false })

  expect(answer.decision).toBeUndefined()
  expect(answer.markers.map(({ event }) => event).filter((event) => event !== 'error')).toEqual([
    'fired',
    'released',
  ])
})

test('C21: a file in which no line parses is GATE_TRANSCRIPT', async ({ world }) => {
  const session = await sessionWith(world, ['{"type":"us\n', 'er"}\n', '\0\0\n'])

  const answer = await session.hook('PreToolUse', { recorded: false })

  expect(answer).toMatchObject({ exitCode: 0, decision: undefined })
  expect(answer.stderr).toContain('GATE_TRANSCRIPT')
})
