import { describe, expect } from 'vitest'
import { armIn } from '../../helpers/armed.ts'
import { test, type World } from '../../helpers/world.ts'
import { CAN_FAULT, listOperations } from '../../reliability/file-faults.ts'

/** Pinned attributes files that a check opened: libgit2 does that when it is asked about a path. */
async function openedAttributes(world: World, setup: string): Promise<number> {
  const { repo, session } = await armIn(
    world,
    await world.shellRepo(`new_repo; echo a > a.js; save; ${setup}`),
  )
  repo.append('a.js', 'fix\n')
  const operations = await listOperations(world, (preload) =>
    session.hook('PostToolUse', { run: { preload } }),
  )
  expect(repo.read('a.js')).toBe('a\n')
  return operations.filter(({ name, path }) => name === 'open' && /\/conversion\/.*attributes$/.test(path))
    .length
}

describe.skipIf(!CAN_FAULT)('libgit2 is asked about attributes', () => {
  test('not where nothing converts anything', async ({ world }) => {
    expect(await openedAttributes(world, '')).toBe(0)
  })

  test('where an attributes file of the repository\u2019s own says something', async ({ world }) => {
    expect(await openedAttributes(world, `echo '*.js eol=lf' > .git/info/attributes`)).toBeGreaterThan(0)
  })
})
