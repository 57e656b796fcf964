import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { armed, CAUSE } from '../helpers/armed.ts'
import { test, type Ran, type World } from '../helpers/world.ts'

/** A terminal of the person, outside of the client. */
const release = (world: World, ...args: string[]): Promise<Ran> =>
  world.run(join(import.meta.dirname, '../../bin/gstack-skill-gates'), ['release', ...args], {
    env: { ...world.env, CLAUDECODE: undefined },
    cwd: world.home,
  })

test('a person lets go of a run: edits go through, and record and log say who', async ({ world }) => {
  const { repo, session } = await armed(world)
  repo.write('src/cart.js', 'fixed\n')
  await session.check('PostToolUse')

  const ran = await release(world, '--session', session.id)

  expect(ran).toMatchObject({
    exitCode: 0,
    stderr: '',
    stdout: `released investigate-gate of session ${session.id}: /investigate, blocked 1 times\n`,
  })
  expect((await session.edit(repo.path('src/cart.js'), 'fixed\n')).decision).toBeUndefined()
  expect((await session.check('PostToolUse')).stdout).toBe('')
  expect(repo.read('src/cart.js')).toBe('fixed\n')
  const record = readFileSync(join(session.stateFolder, 'record.json'), 'utf8')
  expect(record).toContain('"released_by"')
  expect(world.log().at(-1)).toMatch(/event=released skill=investigate cause=person blocked=1$/)
  expect(existsSync(join(session.stateFolder, 'roots'))).toBe(false)
})

test('report tells a release by a person from one by a stated cause', async ({ world }) => {
  const { session } = await armed(world)
  await release(world, '--session', session.id)

  const ran = await world.program('gstack-skill-gates', 'report')

  expect(ran.stdout).toContain('released by a person')
})

test('a new load arms again', async ({ world }) => {
  const { repo, session } = await armed(world)
  await release(world, '--session', session.id)
  session.loads('investigate')
  await session.arm()

  repo.write('src/cart.js', 'fixed\n')

  expect((await session.check('PostToolUse')).decision).toBe('block')
})

test('inside of the client it is refused, and the gate still holds', async ({ world }) => {
  const { repo, session } = await armed(world)

  const ran = await world.program('gstack-skill-gates', 'release', '--session', session.id)

  expect(ran.exitCode).toBe(1)
  expect(ran.stderr).toContain('outside of Claude Code')
  repo.write('src/cart.js', 'fixed\n')
  expect((await session.check('PostToolUse')).decision).toBe('block')
})

test('a session that no gate holds exits with 2 and says so', async ({ world }) => {
  const { session } = await armed(world)
  await session.reads('src/cart.js').says(`Root cause: ${CAUSE}`).check('PreToolUse')
  const before = readFileSync(join(session.stateFolder, 'record.json'), 'utf8')

  const ran = await release(world, '--session', session.id)

  expect(ran.exitCode).toBe(2)
  expect(ran.stderr).toContain(`GATE_NOT_ARMED no gate holds session ${session.id}`)
  expect(JSON.parse(before)).toMatchObject({ session: session.id })
  expect(readFileSync(join(session.stateFolder, 'record.json'), 'utf8')).not.toContain('released_by')
})

test('without a session, or with one that there is not, it is a usage error', async ({ world }) => {
  expect((await release(world)).exitCode).toBe(1)
  expect((await release(world, '--session', 'nobody')).exitCode).toBe(1)
})

test('no block ever names the command', async ({ world }) => {
  const { repo, session } = await armed(world)
  repo.sh('echo fix > src/cart.js; git commit -qam fix; echo more >> src/cart.js')

  const { reason } = await session.check('PostToolUse')

  expect(reason).not.toMatch(/gstack-skill-gates|release\b/)
})
