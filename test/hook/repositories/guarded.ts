/** A repository of a shape in which the gate has to hold as in any other. */
import { expect } from 'vitest'
import { native } from '../../../src/native/binding.ts'
import { armIn, type Armed } from '../../helpers/armed.ts'
import type { Repo } from '../../helpers/repo.ts'
import { checkStep, expectStandard, type CheckedStep } from '../../helpers/standard.ts'
import type { World } from '../../helpers/world.ts'

export type Guarded = Armed & { readonly world: World }

/** Two source files and a document, committed; more is the caller's. */
export const BASE = "new_repo; printf 'a\\n' > src/a.js; printf 'b\\n' > src/b.js; echo doc > README.md; save"

/** What an agent does against the rule: an edit, staged. */
export const STAGED_FIX = 'echo fix >> src/a.js; git add src/a.js'

/** Arms in a repository that a shell script makes. */
export async function guard(world: World, setup: string): Promise<Guarded> {
  return { world, ...(await armIn(world, await world.shellRepo(setup))) }
}

/** The agent's step is blocked and put back, nothing else moves, and git finds nothing wrong. */
export async function expectHeld(
  { world, repo, session }: Guarded,
  act: string,
  files: readonly string[] = ['src/a.js'],
): Promise<CheckedStep> {
  const step = await checkStep({ world, repo, session, event: 'PostToolUse' }, () => {
    repo.sh(act)
  })
  await expectStandard(step, files)
  expect(repo.git('fsck', '--no-dangling')).toBe('')
  return step
}

/** Version and extensions of the index file. */
export const indexFile = (repo: Repo): { readonly version: number; readonly extensions: readonly string[] } =>
  native().parseIndex(repo.bytes('.git/index'))
