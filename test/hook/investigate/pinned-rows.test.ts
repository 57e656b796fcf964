/** What a check pins anew of a large table is a patch beside it; docs/native.md has the layout. */

import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect } from 'vitest'
import { armIn } from '../../helpers/armed.ts'
import { whoAnswers } from '../../helpers/lonely-front.ts'
import { test, type World } from '../../helpers/world.ts'

const TRUSTED_MS = 40
const FILES = 64
const PATCHED_ROW_BYTES = 56

async function armedForest(world: World) {
  const repo = await world.shellRepo(
    `new_repo; for i in $(seq -w ${String(FILES)}); do echo "const n = $i" > f$i.js; done; save`,
  )
  await sleep(TRUSTED_MS)
  const { session } = await armIn(world, repo)
  const folder = () =>
    join(session.stateFolder, 'roots', readdirSync(join(session.stateFolder, 'roots'))[0] ?? '')
  const part = (start: string) => {
    const name = readdirSync(folder()).find((each) => each.startsWith(start))
    return name === undefined ? undefined : join(folder(), name)
  }
  const fixAndCheck = async (name: string) => {
    repo.append(name, 'fix\n')
    const answer = await session.check('PostToolUse')
    expect(answer.decision, answer.stderr).toBe('block')
    expect(repo.read(name)).not.toContain('fix')
  }
  return { repo, session, part, fixAndCheck }
}

test('a file that was put back leaves the table and adds its row to the patch', async ({ world }) => {
  const { part, fixAndCheck } = await armedForest(world)
  const table = part('table-')

  await fixAndCheck('f01.js')
  expect(readFileSync(part('patch-') ?? '').length).toBe(PATCHED_ROW_BYTES)
  await sleep(TRUSTED_MS)
  // The first row was too young to be trusted, so it is pinned once more.
  await fixAndCheck('f02.js')

  expect(readFileSync(part('patch-') ?? '').length).toBe(3 * PATCHED_ROW_BYTES)
  expect(part('table-')).toBe(table)
})

test('the front takes the patch for the rows that it has', async ({ world }) => {
  const { repo, session, fixAndCheck, part } = await armedForest(world)
  await fixAndCheck('f01.js')
  await sleep(TRUSTED_MS)
  await session.check('PreToolUse')
  await sleep(TRUSTED_MS)
  await session.check('PreToolUse')
  expect(part('patch-')).toBeDefined()

  expect(await whoAnswers(world, session)).toBe('front')
  repo.append('f01.js', 'fix\n')
  expect(await whoAnswers(world, session)).toBe('node')
})

test('a patch that would grow large becomes part of the table', async ({ world }) => {
  const { part, fixAndCheck } = await armedForest(world)
  const table = part('table-')

  for (let n = 1; n <= FILES / 8; n++) await fixAndCheck(`f0${String(n)}.js`)

  expect(part('table-')).not.toBe(table)
  expect(part('patch-')).toBeUndefined()
  await fixAndCheck('f09.js')
})

test.for<[string, (bytes: Buffer) => Buffer]>([
  ['cut off', (bytes) => bytes.subarray(0, -1)],
  ['of another table', (bytes) => Buffer.concat([Buffer.alloc(8, 0xff), bytes.subarray(8)])],
])('a patch that is %s is said so, and nothing is touched', async ([, damage], { world }) => {
  const { repo, session, fixAndCheck, part } = await armedForest(world)
  await fixAndCheck('f01.js')
  const patch = part('patch-') ?? ''
  writeFileSync(patch, damage(readFileSync(patch)))
  repo.append('f02.js', 'mine\n')

  const answer = await session.check('PostToolUse')

  expect(answer.markers).toMatchObject([{ event: 'error' }])
  expect(answer.decision).toBeUndefined()
  expect(repo.read('f02.js')).toContain('mine')
})
