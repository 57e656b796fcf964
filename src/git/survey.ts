/**
 * Everything that a check learns about one work tree before anything is decided: where HEAD stands, which paths differ,
 * and what is known of their content.
 */

import { olderOf, type Baseline, type PinnedRefs } from '../core/baseline.ts'
import type { Deadline } from '../core/deadline.ts'
import type { Env } from '../core/env.ts'
import { GateError, hasErrno } from '../core/errors.ts'
import type { Oid, RepoPath } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import type { GitHandle } from '../native/types.ts'
import { openAttributesView, type AttributesView } from './attributes-view.ts'
import {
  entriesByPath,
  inspectPaths,
  scanTree,
  type PathState,
  type Pinned,
  type TakeScan,
  type TreeDelta,
} from './compare.ts'
import { conversionNow } from './conversion.ts'
import { currentReplays } from './current-replays.ts'
import { sparsePaths } from './sparse-paths.ts'
import { blobAt, findGained, NOTHING_GAINED, oldTips, type EvidenceSearch } from './evidence.ts'
import { gatherFindings, type Findings } from './judging.ts'
import { mixesOnto, picksBelow } from './mixes.ts'
import { readFetchHead, readHead, readRefs, type HeadState } from './refs.ts'
import { openOrFail } from './repo.ts'

/** A path that differs, with what is known of its content. */
export interface FoundPath {
  readonly state: PathState
  readonly findings: Findings
}

export interface LeftBy {
  readonly kind: 'fix-write'
  readonly work: boolean
  readonly entries: boolean
}

export interface Survey {
  readonly pinned: Pinned
  readonly delta: TreeDelta
  readonly head: Extract<HeadState, { kind: 'commit' }>
  /** HEAD is a commit of before, or one that a remote has. */
  readonly headIsOld: boolean
  readonly states: readonly FoundPath[]
  readonly view: AttributesView
  /** Stands for other conversion settings than the pinned ones; undefined when they are the same. */
  readonly otherConversion: string | undefined
  /**
   * For a path that has what an undone commit gave it, and whose own content is the baseline's: what of it has to go back.
   * Its content may be old, but it came only from that commit.
   */
  leftBy(state: PathState, undone: readonly Oid[]): LeftBy | undefined
  /** Mode that the path has in the commit that the baseline follows from now on; undefined when that lacks it. */
  followedMode(path: RepoPath): number | undefined
}

export interface SurveyWith {
  readonly env: Env
  readonly deadline: Deadline
  readonly scratch: string
  /** Read only when something differs. */
  readonly readRefs: () => PinnedRefs
  /** How HEAD would stand once commits were undone, for who asks without undoing them. */
  readonly asIf?: AsIf | undefined
  readonly scanned?: TakeScan | undefined
  /** Paths to look at though nothing says that they differ. */
  readonly also?: readonly RepoPath[]
}

export interface AsIf {
  readonly head: HeadState
  /** What a merge that would be open again merges. */
  readonly mergeHeads: readonly Oid[] | undefined
}

/**
 * Looks at a guarded work tree.
 *
 * @returns undefined when nothing differs from the baseline; else a survey whose view the caller closes
 * @throws GateError GATE_GIT when HEAD or the index cannot be read, GATE_TIMEOUT
 */
export async function surveyTree(pinned: Pinned, using: SurveyWith): Promise<Survey | undefined> {
  const { baseline } = pinned
  const head = using.asIf?.head ?? readHead(baseline)
  if (head.kind !== 'commit')
    throw new GateError('GATE_GIT', `git rev-parse HEAD failed: HEAD does not resolve in ${baseline.root}`)
  using.deadline.check('comparing the tree')
  const delta = withPaths(await scanTree(pinned, using), using.also ?? [])
  const hasMoved = head.oid !== baseline.head.oid || head.ref !== baseline.head.ref
  if (delta.paths.length + delta.added.length + delta.unindexed.length === 0 && !hasMoved) return undefined

  using.deadline.check('judging what differs')
  const refs = using.readRefs()
  const upstream = upstreamSince(baseline, refs)
  const headIsOld = !hasMoved || isOldCommit(pinned, head.oid, [...refs.tips, ...upstream])
  // A commit of the session's own that was let pass brings neither attributes nor its new files.
  const commit = olderOf(baseline, headIsOld ? head.oid : baseline.head.oid)
  const paths = [...delta.paths, ...delta.added, ...delta.unindexed]
  const storedIn = [delta.index, pinned.index]
  const view = openAttributesView({ ...baseline, commit, paths, storedIn, ...using })
  try {
    const followedMode = (path: RepoPath): number | undefined => native().blobAt(view.git, commit, path)?.mode
    // A path that is not in the index and comes back is no new file as long as the followed commit has it.
    const back = [...delta.added, ...delta.unindexed].filter((path) => followedMode(path) !== undefined)
    const from = olderOf(baseline, baseline.head.oid)
    const regained = hasMoved ? regainedPaths(pinned, delta, { git: view.git, from, to: commit }) : []
    const states = await inspectPaths(pinned, withPaths(delta, [...back, ...regained]), view)
    const conversion = await conversionNow(baseline, using)
    const search: EvidenceSearch = {
      git: view.git,
      baseline,
      refs,
      upstream,
      gained: NOTHING_GAINED,
      head: headIsOld ? head.oid : undefined,
      replays: [],
      sparse: new Set(),
      deadline: using.deadline,
    }
    return {
      pinned,
      delta,
      head,
      headIsOld,
      states: await findAll(states, search, { oid: head.oid, mergeHeads: using.asIf?.mergeHeads }),
      view,
      otherConversion: conversion === baseline.conversion.digest ? undefined : conversion,
      leftBy: (state, undone) => leftBy(view.git, state, { undone, head: head.oid }),
      followedMode,
    }
  } catch (error) {
    view.close()
    throw error
  }
}

const withPaths = (delta: TreeDelta, also: readonly RepoPath[]): TreeDelta =>
  also.length === 0 ? delta : { ...delta, paths: [...new Set([...delta.paths, ...also])].sort() }

/** Paths that the followed commit has and the one before had not, and that stay out of the index. */
function regainedPaths(
  pinned: Pinned,
  delta: TreeDelta,
  { git, from, to }: { readonly git: GitHandle; readonly from: Oid; readonly to: Oid },
): readonly RepoPath[] {
  if (from === to) return []
  const changed = changedBetween(git, from, to)
  const indexed = [pinned.index, delta.index].map((index) => entriesByPath(index, changed))
  return changed.filter(
    (path) => !indexed.some((entries) => entries.has(path)) && blobAt(git, to, path) !== undefined,
  )
}

/** @returns none when one of the trees is missing, as in a partial clone */
function changedBetween(git: GitHandle, from: Oid, to: Oid): readonly RepoPath[] {
  try {
    return native().changedPaths(git, from, to)
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return []
    throw error
  }
}

function leftBy(
  git: GitHandle,
  { path, before, now }: PathState,
  { undone, head }: { undone: readonly Oid[]; head: Oid },
): LeftBy | undefined {
  const [entry] = now.entries
  const [own] = before.entries
  if (entry === undefined || own === undefined || entry.oid === own.oid) return undefined
  const isLeft = undone.some((commit) => native().blobAt(git, commit, path)?.oid === entry.oid)
  if (!isLeft || native().blobAt(git, head, path)?.oid !== own.oid) return undefined
  return { kind: 'fix-write', work: now.work.kind === 'file' && now.work.oid === entry.oid, entries: true }
}

/** Replays cost a merge each, so they are made only when something is new without them. */
async function findAll(
  states: readonly PathState[],
  search: EvidenceSearch,
  { oid: head, mergeHeads }: { readonly oid: Oid; readonly mergeHeads: readonly Oid[] | undefined },
): Promise<readonly FoundPath[]> {
  const found = states.map((state) => ({ state, findings: gatherFindings(state, search) }))
  if (!found.some(({ findings }) => isNew(findings))) return found
  const { baseline, refs } = search
  const repo = openOrFail(baseline.gitDir)
  const old = oldTips(search)
  const gained = findGained(repo, search)
  const indexed = new Set(states.filter(({ now }) => now.entries.length > 0).map(({ path }) => path))
  const isStaged = (path: RepoPath): boolean => !indexed.has(path)
  // A merge onto a commit of the session's own has new content on one side.
  const replays =
    search.head === undefined
      ? []
      : [
          ...currentReplays(repo, { baseline, refs, head, old, mergeHeads }),
          mixesOnto({ ...search, onto: head, picked: picksBelow({ ...search, tips: old }), isStaged }),
        ]
  const skipped = states
    .filter(({ now }) => now.entries.some((entry) => entry.skipWorktree))
    .map(({ path }) => path)
  const sparse = await sparsePaths({ repo, git: search.git }, baseline, skipped)
  return found.map((path) =>
    isNew(path.findings)
      ? { ...path, findings: gatherFindings(path.state, { ...search, gained, replays, sparse }) }
      : path,
  )
}

const isNew = ({ work, entries, sameWork, sameEntries }: Findings): boolean =>
  (!sameWork && work === 'none') || (!sameEntries && entries === 'none')

/** Commits that remotes have by now and that were not pinned. */
export function upstreamSince(baseline: Baseline, pinned: PinnedRefs): readonly Oid[] {
  const { refs } = readRefs(baseline)
  const known = new Set(pinned.tips)
  const remote = [...refs].flatMap(([name, oid]) => (name.startsWith('refs/remotes/') ? [oid] : []))
  return [...new Set([...remote, ...readFetchHead(baseline)])].filter((oid) => !known.has(oid))
}

function isOldCommit({ baseline }: Pinned, commit: Oid, tips: readonly Oid[]): boolean {
  const isKnown =
    commit === baseline.head.oid || baseline.accepted.includes(commit) || commit in baseline.letPass
  if (isKnown || tips.includes(commit)) return true
  return openOrFail(baseline.gitDir).isReachable(commit, tips)
}
