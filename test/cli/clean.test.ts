import { existsSync, readdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { native } from '../../src/native/binding.ts'
import { armed, CAUSE, type Armed } from '../helpers/armed.ts'
import { test, type Ran, type World } from '../helpers/world.ts'

const clean = (world: World, ...args: string[]): Promise<Ran> =>
  world.program('gstack-skill-gates', 'clean', ...args)

/** An armed session with one kept copy. */
async function withCopy(world: World): Promise<Armed> {
  const made = await armed(world)
  made.repo.write('src/cart.js', 'fixed\n')
  await made.session.check('PostToolUse')
  return made
}

async function released(world: World): Promise<Armed> {
  const made = await withCopy(world)
  await made.session.reads('src/cart.js').says(`Root cause: ${CAUSE}`).check('PreToolUse')
  return made
}

const keptIn = ({ session }: Armed): string[] => readdirSync(join(session.stateFolder, 'kept'))

test('a session that is over goes as a whole, and report knows', async ({ world }) => {
  const { session } = await released(world)

  const ran = await clean(world, '--session', session.id)

  expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
  expect(ran.stdout).toMatch(
    new RegExp(`^session ${session.id}: removed, \\d+ bytes\nfreed [1-9]\\d* bytes\n$`),
  )
  expect(existsSync(session.stateFolder)).toBe(false)
  expect((await world.program('gstack-skill-gates', 'report')).stdout).toContain(session.id)
})

test('of an armed session only the kept copies go, and it still holds', async ({ world }) => {
  const made = await withCopy(world)

  const ran = await clean(world, '--session', made.session.id)

  expect(ran.stdout).toContain('1 kept copies removed, 6 bytes; it is armed, so its baseline')
  expect(keptIn(made)).toEqual([])
  made.repo.write('src/cart.js', 'fixed again\n')
  expect((await made.session.check('PostToolUse')).decision).toBe('block')
  expect(keptIn(made)).toHaveLength(1)
})

test('--older-than removes what is that old and leaves the rest', async ({ world }) => {
  const old = await released(world)
  const fresh = await released(world)
  const past = new Date(Date.now() - 3 * 24 * 3_600_000)
  for (const name of ['record.json', 'last-check'])
    utimesSync(join(old.session.stateFolder, name), past, past)

  const ran = await clean(world, '--older-than', '2')

  expect(ran.exitCode).toBe(0)
  expect(existsSync(old.session.stateFolder)).toBe(false)
  expect(keptIn(fresh)).toHaveLength(1)
})

test('--older-than 0 removes every session that is over', async ({ world }) => {
  const over = await released(world)
  const held = await withCopy(world)

  await clean(world, '--older-than', '0')

  expect(existsSync(over.session.stateFolder)).toBe(false)
  expect(existsSync(join(held.session.stateFolder, 'roots'))).toBe(true)
  expect(keptIn(held)).toEqual([])
})

test('an armed session that was left for long goes, and it is said that it was armed', async ({ world }) => {
  const { session } = await withCopy(world)
  const past = new Date(Date.now() - 3 * 24 * 3_600_000)
  for (const name of ['record.json', 'last-check']) utimesSync(join(session.stateFolder, name), past, past)

  const ran = await clean(world, '--older-than', '2')

  expect(ran.stdout).toContain('it was still armed, and left for over 12 hours')
  expect(existsSync(session.stateFolder)).toBe(false)
})

test('a session whose lock a hook holds stays', async ({ world }) => {
  const { session } = await released(world)
  const lock = native().lockFile(join(session.stateFolder, 'lock'), { create: true })

  const ran = await clean(world, '--session', session.id)
  if (lock !== 'held') native().unlock(lock.fd)

  expect(ran.exitCode).toBe(3)
  expect(ran.stderr).toContain('GATE_LOCKED')
  expect(existsSync(join(session.stateFolder, 'record.json'))).toBe(true)
})

describe('a wrong use exits with 1 and removes nothing', () => {
  test.for([
    ['nothing that says what to clean', [], 'say what to clean'],
    ['no number of days', ['--older-than', 'week'], 'takes a number of days'],
    ['both', ['--older-than', '1', '--session', 'x'], 'say what to clean'],
    ['a session that leads out of the folder', ['--session', '../..'], 'this is no session id'],
  ] as const)('%s', async ([, args, message], { world }) => {
    const made = await released(world)

    const ran = await clean(world, ...args)

    expect(ran.exitCode).toBe(1)
    expect(ran.stderr).toContain(message)
    expect(keptIn(made)).toHaveLength(1)
  })
})
