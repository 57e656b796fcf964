/** What `diagnose` announces and what the next check then does are the same, and looking changes nothing. */

import { describe, expect } from 'vitest'
import { armIn, type Armed } from '../../helpers/armed.ts'
import { diagnosis, type Diagnosis } from '../../helpers/diagnosis.ts'
import { openRepo, type RepoSnapshot } from '../../helpers/repo.ts'
import type { HookAnswer } from '../../helpers/run-hook.ts'
import { everythingIn } from '../../helpers/untouched.ts'
import { test, type World } from '../../helpers/world.ts'

export interface Situation {
  readonly name: string
  readonly shape: string
  /** The work tree that the session is in, from the first one; undefined: the first. */
  readonly in?: string
  /** What the user did before the session. */
  readonly setup?: string
  /** What the agent does before a first check, if there is one. */
  readonly first?: string
  readonly act: string
  /** `path verdict`, sorted by path; undefined: whatever the check does. */
  readonly paths?: readonly string[]
  /** `plan` of each branch with new commits; undefined: whatever the check does. */
  readonly commits?: readonly string[]
}

/** A fix of src/a.js in the shape `history`. */
export const FIX = "sed -i '7s/.*/fix/' src/a.js"

/** A test for each situation: its diagnosis, then its check. */
export function testParity(where: string, situations: readonly Situation[]): void {
  describe(`what is announced ${where} is what the next check does:`, () => {
    test.for([...situations])('$name', { timeout: 120_000 }, async (situation, { world }) => {
      const looked = await play(world, situation)

      const [root] = looked.told.roots
      if (situation.paths !== undefined)
        expect(root?.paths.map(({ path, verdict }) => `${path} ${verdict}`)).toEqual(situation.paths)
      if (situation.commits !== undefined)
        expect(root?.commits.map(({ plan }) => plan)).toEqual(situation.commits)
      expectAnnounced(looked)
    })
  })
}

interface Looked {
  readonly told: Diagnosis
  readonly acted: RepoSnapshot
  readonly checked: HookAnswer
  readonly after: RepoSnapshot
}

async function play(world: World, situation: Situation): Promise<Looked> {
  const first = world.repo(situation.shape)
  const repo = situation.in === undefined ? first : openRepo(first.path(situation.in))
  const act = (script: string): void => {
    repo.sh(`export GIT_EDITOR=true\n${script.replaceAll('../project', first.folder)}`)
  }
  act(situation.setup ?? ':')
  // A busy machine must not end one of the two sooner than the other.
  world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'
  const armed: Armed = await armIn(world, repo)
  if (situation.first !== undefined) {
    act(situation.first)
    await armed.session.check('PostToolUse')
  }
  act(situation.act)
  const looked = () => everythingIn(world.folder, world.temporary)
  const before = looked()

  const told = await diagnosis(world, armed)

  expect(looked()).toEqual(before)
  const acted = repo.snapshot()
  const checked = await armed.session.check('PostToolUse')
  expectNothingLeft(await diagnosis(world, armed))
  return { told, acted, checked, after: repo.snapshot() }
}

/** Files, index entries and refs that the check changed are those that were announced, and no others. */
function expectAnnounced({ told, acted, checked, after }: Looked): void {
  const [root] = told.roots
  expect(root).not.toHaveProperty('error')
  const paths = root?.paths ?? []
  const fixes = paths.filter(({ verdict }) => verdict === 'put-back' || verdict === 'cannot-put-back')
  const goesBack = (side: string) =>
    paths
      .filter(({ verdict, changed }) => verdict === 'put-back' && changed.includes(side))
      .map(({ path }) => path)
  const moves = (root?.commits ?? []).filter(({ plan }) => plan === 'move' || plan === 'leave-branch')

  expect(changedKeys(acted.workTree, after.workTree)).toEqual(goesBack('work-tree').sort())
  expect(changedEntries(acted, after).filter((path) => goesBack('index').includes(path))).toEqual(
    goesBack('index').sort(),
  )
  expect(changedEntries(acted, after).filter((path) => !fixes.some((fix) => fix.path === path))).toEqual([])
  expect(changedRefs(acted, after)).toEqual(
    [...new Set(moves.flatMap(({ ref, plan }) => (plan === 'move' && ref !== 'HEAD' ? [ref] : [])))].sort(),
  )
  expect(told.exitCode).toBe(fixes.length + moves.length > 0 ? 4 : 0)
  expect(told.would_change).toBe(told.exitCode === 4)
  expect(checked.decision, `${checked.reason}${checked.stderr}`).toBe(
    told.exitCode === 4 ? 'block' : undefined,
  )
  for (const { path, verdict, why } of fixes) {
    expect(checked.reason).toContain(path)
    if (verdict === 'cannot-put-back') expect(checked.reason).toContain(why)
  }
  for (const { commits } of moves) expect(checked.reason).toContain(commits[0])
  if (told.exitCode === 0) expect(after).toEqual(acted)
}

function expectNothingLeft(told: Diagnosis): void {
  const [root] = told.roots
  expect(root?.paths.filter(({ verdict }) => verdict === 'put-back')).toEqual([])
  expect(root?.commits.filter(({ plan }) => plan === 'move' || plan === 'leave-branch')).toEqual([])
}

function changedKeys(before: RepoSnapshot['workTree'], after: RepoSnapshot['workTree']): string[] {
  return [...new Set([...Object.keys(before), ...Object.keys(after)])]
    .filter((path) => before[path] !== after[path])
    .sort()
}

function changedEntries(before: RepoSnapshot, after: RepoSnapshot): string[] {
  const [old, fresh] = [before, after].map(
    ({ index }) => new Set(index.split('\0').filter((entry) => entry !== '')),
  )
  const differing = [...(old ?? [])].filter((entry) => fresh?.has(entry) !== true)
  const added = [...(fresh ?? [])].filter((entry) => old?.has(entry) !== true)
  return [...new Set([...differing, ...added].map((entry) => entry.slice(entry.indexOf('\t') + 1)))].sort()
}

/** Refs of branches by name; those of ours keep undone commits. */
function changedRefs(before: RepoSnapshot, after: RepoSnapshot): string[] {
  const [old, fresh] = [before, after].map(
    ({ refs }) => new Map(refs.split('\n').map((line) => [line.split('\t')[1] ?? '', line] as const)),
  )
  return [...new Set([...(old?.keys() ?? []), ...(fresh?.keys() ?? [])])]
    .filter((name) => name.startsWith('refs/heads/') && old?.get(name) !== fresh?.get(name))
    .sort()
}
