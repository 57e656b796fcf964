/**
 * The standard outcome of a gated change: put back, blocked, copies named, nothing else touched, and quiet afterwards.
 */
import { readdirSync } from 'node:fs'
import { expect } from 'vitest'
import { repoPathFromText, showPath } from '../../src/core/ids.ts'
import { stateOf, type FileStates } from './file-states.ts'
import type { Repo, RepoSnapshot } from './repo.ts'
import type { HookAnswer } from './run-hook.ts'
import type { CheckEvent, Session } from './session.ts'
import type { World } from './world.ts'

/** One step of the agent and the check after it, with the repository as it was before, between and after. */
export interface CheckedStep {
  readonly world: World
  readonly repo: Repo
  readonly session: Session
  readonly event: CheckEvent
  readonly before: RepoSnapshot
  readonly acted: RepoSnapshot
  readonly answer: HookAnswer
  readonly after: RepoSnapshot
}

export async function checkStep(
  at: Pick<CheckedStep, 'world' | 'repo' | 'session' | 'event'>,
  act: () => unknown,
): Promise<CheckedStep> {
  const { repo, session, event } = at
  const before = repo.snapshot()
  await act()
  const acted = repo.snapshot()
  const answer = await session.check(event)
  return { ...at, before, acted, answer, after: repo.snapshot() }
}

/**
 * @param files the gated files that the step changed, as the work tree names them
 * @param aside excluded tracked files that the step changed, which stay as they are
 */
export async function expectStandard(
  step: CheckedStep,
  files: readonly string[],
  aside: readonly string[] = [],
): Promise<void> {
  expectBlocked(step, files)
  expectPutBack(step, files, aside)
  expectNothingElse(step, files)

  const again = await step.session.check(step.event === 'PreToolUse' ? 'PreToolUse' : 'PostToolUse')
  expect(again.stdout, 'the second check is silent').toBe('')
  expect(step.repo.snapshot()).toEqual(step.after)
}

/** The block names exactly these files, and for each a copy with the bytes that were replaced. */
export function expectBlocked(
  { answer, event, session, acted, before }: CheckedStep,
  files: readonly string[],
): void {
  expect(answer.exitCode).toBe(0)
  expect(answer.decision, answer.stderr).toBe(event === 'PreToolUse' ? 'deny' : 'block')
  const tracked = new Set([...trackedPaths(before), ...trackedPaths(acted)])
  expect(namedPaths(answer.reason, tracked, session).sort()).toEqual([...files].map(latin1).sort())

  const replaced = files
    .map((file) => contentOf(acted.workTree[latin1(file)]))
    .filter((state) => state !== 'absent')
  const copies = copiesIn(answer.reason, session).map((copy) => contentOf(stateOf(copy)))
  expect([...new Set(copies)].sort()).toEqual([...new Set(replaced)].sort())
  expect(answer.reason).not.toMatch(OFF_SWITCH)
}

/** Bytes and index entries are the baseline's again. */
function expectPutBack(
  { before, after }: CheckedStep,
  files: readonly string[],
  aside: readonly string[],
): void {
  for (const file of files)
    expect(contentOf(after.workTree[latin1(file)]), file).toBe(contentOf(before.workTree[latin1(file)]))
  const isAside = (line: string) =>
    line === '' || line.startsWith('??') || aside.some((path) => line.endsWith(path))
  const ofUser = (status: string) => status.split('\n').filter((line) => !isAside(line))
  expect(ofUser(after.status)).toEqual(ofUser(before.status))
  for (const file of files) expect(entriesOf(after.index, file)).toEqual(entriesOf(before.index, file))
}

function expectNothingElse({ acted, after, world }: CheckedStep, files: readonly string[]): void {
  expect(without(after.workTree, files)).toEqual(without(acted.workTree, files))
  expect(after.gitFolder).toEqual(acted.gitFolder)
  expect(after.refs).toBe(acted.refs)
  const others = (index: string) =>
    index.split('\0').filter((entry) => !files.some((file) => entry.endsWith(`\t${latin1(file)}`)))
  expect(others(after.index)).toEqual(others(acted.index))
  expect(readdirSync(world.temporary)).toEqual([])
}

/** Names of the switch and of the command that sets it. */
export const OFF_SWITCH =
  /investigate[_-]?gate\s*(?:=|off)|GSTACK_INVESTIGATE_GATE|investigate_gate|gstack-config|\boff\b/i

/** Kept copies that a text names, in its order, each once. */
export function copiesIn(text: string, session: Session): string[] {
  const folder = session.stateFolder.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
  const paths = [...text.matchAll(new RegExp(`${folder}/[^\\s"'\`,;)]*[^\\s"'\`,;).]`, 'g'))].map(
    ([path]) => path,
  )
  return [...new Set(paths)]
}

/** Tracked paths that stand in a text as names of their own, outside the copies' paths. */
function namedPaths(reason: string, tracked: ReadonlySet<string>, session: Session): string[] {
  const text = copiesIn(reason, session).reduce((rest, copy) => rest.replaceAll(copy, ' '), reason)
  return [...tracked].filter((path) => {
    const shown = showPath(repoPathFromText(Buffer.from(path, 'latin1').toString('utf8')))
    const escaped = shown.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')
    return new RegExp(`(?<![\\w/.-])${escaped}(?![\\w/-]|\\.\\w)`).test(text)
  })
}

const latin1 = (path: string): string => repoPathFromText(path)

const trackedPaths = ({ index }: RepoSnapshot): string[] =>
  index.split('\0').flatMap((entry) => (entry.includes('\t') ? [entry.slice(entry.indexOf('\t') + 1)] : []))

const entriesOf = (index: string, file: string): string[] =>
  index.split('\0').filter((entry) => entry.endsWith(`\t${latin1(file)}`))

/** A file's state without its permissions. */
const contentOf = (state = 'absent'): string => state.replace(/^file \d+ /, 'file ')

const without = (states: FileStates, files: readonly string[]): FileStates =>
  Object.fromEntries(Object.entries(states).filter(([path]) => !files.map(latin1).includes(path)))
