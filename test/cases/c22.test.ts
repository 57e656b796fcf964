import { expect } from 'vitest'
import { armCase, chooseCaseEnvironment } from '../helpers/case.ts'
import { test, type World } from '../helpers/world.ts'

const SETUP = "new_repo; printf 'a\\n' > src/a.js; save"

async function plainSession(world: World) {
  chooseCaseEnvironment(world)
  await world.shellRepo(SETUP)
  return world.session().prompts('Look at it.')
}

test('C22: a load in a subagent does not arm the session', async ({ world }) => {
  const session = await plainSession(world)
  const subagent = session.subagent('ag1').loads('investigate')

  const answer = await subagent.edit('src/a.js', 'fix\n')

  expect(answer).toMatchObject({ stdout: '', stderr: '', exitCode: 0 })
})

test("C22: a subagent's edit in an armed session is denied", async ({ world }) => {
  const { session } = await armCase(world, SETUP)

  const answer = await session.subagent('ag2').edit('src/a.js', 'fix\n')

  expect(answer.decision).toBe('deny')
})

test("C22: a subagent's edit is the first call of a session that loaded the skill", async ({ world }) => {
  const session = (await plainSession(world)).loads('investigate')

  const answer = await session.subagent('ag2').edit('src/a.js', 'fix\n')

  expect(answer.decision).toBe('deny')
})

test('C22: sidechain records in the main transcript release nothing', async ({ world }) => {
  const { session } = await armCase(world, SETUP)
  session.reads('src/a.js')
  session.transcript.assistant(
    { type: 'text', text: 'Root cause: src/a.js:1 x' },
    { isSidechain: true, agentId: 'ag1' },
  )

  const answer = await session.edit('src/a.js', 'fix\n')

  expect(answer.decision).toBe('deny')
})

test('C22: the same line of the main session releases it', async ({ world }) => {
  const { session } = await armCase(world, SETUP)
  session.reads('src/a.js').says('Root cause: src/a.js:1 x')

  const answer = await session.edit('src/a.js', 'fix\n')

  expect(answer.decision).toBeUndefined()
})
