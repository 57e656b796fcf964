import { existsSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { armIn } from '../../helpers/armed.ts'
import { openRepo } from '../../helpers/repo.ts'
import { test } from '../../helpers/world.ts'
import { BASE, expectHeld, STAGED_FIX } from './guarded.ts'

/** A bare repository in the middle, which a `.git` file names, and two work trees beside it. */
const HUB = `${BASE}; mkdir ../hub; git clone -q --bare . ../hub/.bare; cd ../hub; echo 'gitdir: ./.bare' > .git
git config user.name D; git config user.email d@example.invalid
git worktree add -q main; git worktree add -q -b topic topic`

describe('a linked work tree', () => {
  test.for([
    ['of a bare repository', HUB],
    [
      'with a configuration of its own',
      `${HUB}; git config extensions.worktreeConfig true; git config --unset core.bare; git config --file .bare/config.worktree core.bare true; git -C topic config --worktree core.eol lf`,
    ],
    [
      'with a split index',
      `${HUB}; git -C topic config core.splitIndex true; git -C topic update-index --split-index`,
    ],
    ['with a sparse index of its own', `${HUB}; git -C topic sparse-checkout set --cone --sparse-index src`],
  ] as const)('%s is guarded with its own index and branch', async ([, setup], { world }) => {
    const source = await world.shellRepo(setup)
    const [repo, other] = [openRepo(source.path('../hub/topic')), openRepo(source.path('../hub/main'))]
    const untouched = other.snapshot()
    const { session } = await armIn(world, repo)

    await expectHeld({ world, repo, session }, STAGED_FIX)

    const tip = repo.git('rev-parse', 'HEAD')
    repo.sh(`${STAGED_FIX}; git commit -qm fix`)
    expect((await session.check('PostToolUse')).decision).toBe('block')
    expect(repo.git('rev-parse', 'HEAD')).toBe(tip)
    expect(other.snapshot()).toEqual(untouched)
  })

  test('whose folder was moved by hand is guarded where it is now', async ({ world }) => {
    const source = await world.shellRepo(`${HUB}; mv topic moved`)
    const repo = openRepo(source.path('../hub/moved'))
    const { session } = await armIn(world, repo)

    await expectHeld({ world, repo, session }, STAGED_FIX)

    expect(existsSync(source.path('../hub/topic'))).toBe(false)
  })
})
