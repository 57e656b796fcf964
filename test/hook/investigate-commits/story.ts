/** What the stories of this folder share: a session in the `history` shape, and what to expect of a fold or an undo. */
import { expect } from 'vitest'
import { armIn, type Armed } from '../../helpers/armed.ts'
import type { HookAnswer } from '../../helpers/run-hook.ts'
import type { World } from '../../helpers/world.ts'

/** What `history` has in src/a.js on main. */
export const LINES = '1\n2\n3\n4\n5\n6\n7\n8\n9\n'

/** A fix of src/a.js that conflicts with nothing but a change of line 7. */
export const FIX = "sed -i '7s/.*/fix/' src/a.js"

export const COMMIT = `${FIX}; git commit -qam fix`

/** What the user changed in src/a.js, in the work tree or as a commit. */
export const DIRTY = "sed -i '9s/.*/mine/' src/a.js"
export const LOCAL_COMMIT = "sed -i '9s/.*/local/' src/a.js; git commit -qam local"

export interface Story extends Armed {
  /** An act of the agent, by a shell whose editor changes nothing. */
  readonly act: (script: string) => void
  readonly commit: (name: string) => string
}

/** @param setup what the user did before the session; @param shape of `fixtures-repos/` */
export async function armAfter(world: World, setup = '', shape = 'history'): Promise<Story> {
  const repo = world.repo(shape)
  const act = (script: string) => repo.sh(`export GIT_EDITOR=true\n${script}`)
  if (setup !== '') act(setup)
  return { ...(await armIn(world, repo)), act, commit: (name) => repo.git('rev-parse', name) }
}

/** Content that git brought back is old: everything stays as git left it, and nobody hears of it. */
export async function expectFolded({ repo, session, act }: Story, script: string): Promise<void> {
  act(script)
  const acted = repo.snapshot()

  const answers = [await session.check('PostToolUse'), await session.check('PreToolUse')]

  expect(answers.map(({ reason, stderr }) => reason + stderr)).toEqual(['', ''])
  expect(repo.snapshot()).toEqual(acted)
}

/** The gate has nothing more to say, and changes nothing more. */
export async function expectSilent({ repo, session }: Armed): Promise<void> {
  const before = repo.snapshot()

  const answer = await session.check('PostToolUse')

  expect(answer.stdout + answer.stderr).toBe('')
  expect(repo.snapshot()).toEqual(before)
}

/** The block names the commit by its full id, and git still has it. */
export function expectNamed({ repo }: Armed, answer: HookAnswer, commit: string): void {
  expect(answer.decision, answer.stderr).toBe('block')
  expect(answer.reason).toContain(commit)
  expect(repo.git('cat-file', '-t', commit)).toBe('commit')
}

/** Whether `git gc` would keep the commit. */
export const isReachable = ({ repo }: Armed, commit: string): boolean =>
  repo.git('rev-list', '--all', '--reflog').split('\n').includes(commit)
