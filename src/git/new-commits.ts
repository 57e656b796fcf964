/** Commits that a session made since its baseline, and which of them bring gated files content that is not old. */

import type { Baseline, PinnedRefs } from '../core/baseline.ts'
import { GateError, hasErrno, messageOf } from '../core/errors.ts'
import type { Oid, RepoPath } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import type { CommitInfo, GitHandle } from '../native/types.ts'
import type { AttributesView } from './attributes-view.ts'
import { findEvidence, oldTips, type EvidenceSearch } from './evidence.ts'
import { readHead, readOtherTrees, readReflog, type RefList } from './refs.ts'
import { findOriginal, findPicked } from './replays.ts'
import type { OpenRepo } from './repo.ts'
import type { Replay } from './walks.ts'

/** More commits than this between two checks are too many to judge. */
const MOST_COMMITS = 5_000
/** So many branches may have that many. */
const MOST_TIPS_FULL = 10

/** A branch, or a detached HEAD, whose tip is neither old nor let pass. */
export interface MovedTip {
  /** Full name; `HEAD` when detached. */
  readonly name: string
  readonly tip: Oid
  /** Where it stood at the baseline. */
  readonly pinned: Oid | undefined
  /** New commits, children before parents. */
  readonly commits: readonly CommitInfo[]
}

/**
 * Branches, and a detached HEAD, that stand on commits which are neither old nor let pass.
 *
 * @throws GateError GATE_GIT when one of them has too many new commits to judge
 */
export function findMovedTips(
  repo: OpenRepo,
  baseline: Baseline,
  { list, refs, upstream }: { list: RefList; refs: PinnedRefs; upstream: readonly Oid[] },
): readonly MovedTip[] {
  const old = oldTips({ refs, upstream, baseline })
  const known = new Set(old)
  const head = readHead(baseline)
  const detached = head.kind === 'commit' && head.ref === undefined ? [['HEAD', head.oid] as const] : []
  const branches = [...list.refs].filter(([name]) => name.startsWith('refs/heads/'))
  const unknown = [...branches, ...detached].filter(([, tip]) => !known.has(tip))
  if (unknown.length === 0) return []
  const tips = [...new Set(unknown.map(([, tip]) => tip))]
  const most = MOST_COMMITS * Math.min(tips.length, MOST_TIPS_FULL)
  const made = repo.commitsSince({ tips, hidden: old, most })
  return unknown.map(([name, tip]) => {
    const commits = reachedFrom(tip, made)
    if (made.length === most || commits.length >= MOST_COMMITS)
      throw new GateError('GATE_GIT', `git rev-list ${tip}: too many new commits to judge`)
    const pinned =
      name === 'HEAD'
        ? baseline.firstHead.ref === undefined
          ? baseline.firstHead.oid
          : undefined
        : refs.refs[name]
    return { name, tip, pinned, commits }
  })
}

/** Those of the commits that a tip reaches, in their order: children before parents. */
function reachedFrom(tip: Oid, commits: readonly CommitInfo[]): readonly CommitInfo[] {
  const reached = new Set([tip])
  return commits.filter(({ oid, parents }) => {
    if (!reached.has(oid)) return false
    for (const parent of parents) reached.add(parent)
    return true
  })
}

/**
 * Paths that a commit changes against all its parents.
 *
 * @param starts new commits without a parent: that one of them lacks a file takes it from nobody
 * @throws GateError GATE_GIT when one of the trees is missing
 */
export function changedBy(
  git: GitHandle,
  commit: CommitInfo,
  baseline: Baseline,
  starts: ReadonlySet<Oid> = new Set(),
): readonly RepoPath[] {
  const [first = baseline.firstHead.oid, ...merged] = commit.parents
  const others = merged.filter((parent) => !starts.has(parent))
  try {
    let paths = native().changedPaths(git, first, commit.oid)
    for (const parent of others) {
      const there = new Set(native().changedPaths(git, parent, commit.oid))
      paths = paths.filter((path) => there.has(path))
    }
    return paths
  } catch (cause) {
    throw new GateError('GATE_GIT', `git diff ${first} ${commit.oid} failed: ${messageOf(cause)}`, { cause })
  }
}

/** @returns undefined when one of the trees is missing, as in a partial clone */
function changedIfThere(
  git: GitHandle,
  commit: CommitInfo,
  baseline: Baseline,
): readonly RepoPath[] | undefined {
  try {
    return changedBy(git, commit, baseline)
  } catch (error) {
    if (error instanceof GateError && hasErrno(error.cause, 'ENOENT')) return undefined
    throw error
  }
}

/**
 * The gated paths to which a commit gives content that is not old. Its parents were judged before it.
 *
 * @param changed what {@link changedBy} found
 * @param above commits whose original this may be; none of them is asked again
 */
export async function fixesIn(
  commit: CommitInfo,
  changed: readonly RepoPath[],
  using: {
    readonly repo: OpenRepo
    readonly view: AttributesView
    readonly search: EvidenceSearch
    readonly isGated: (path: RepoPath, mode: number | undefined) => boolean
    /** What old changes give on top of a commit that a path's content may come from. */
    readonly mixes: (onto: Oid, path: RepoPath) => Replay | undefined
    /** What {@link rewrittenRoots} found. */
    readonly rewritten: ReadonlyMap<Oid, Oid>
  },
  above: readonly Oid[] = [],
): Promise<readonly RepoPath[]> {
  const { git } = using.view
  const parent = commit.parents[0]
  const base = parent ?? using.rewritten.get(commit.oid)
  const fixes: RepoPath[] = []
  let replay: Replay | undefined
  let isReplayed = false
  const isClean = async (original: CommitInfo): Promise<boolean> => {
    const asked = [...above, commit.oid]
    if (asked.includes(original.oid)) return false
    const paths = changedIfThere(git, original, using.search.baseline)
    return paths !== undefined && (await fixesIn(original, paths, using, asked)).length === 0
  }
  for (const path of changed) {
    const before = base === undefined ? undefined : native().blobAt(git, base, path)
    const after = native().blobAt(git, commit.oid, path)
    if (before?.oid === after?.oid || !using.isGated(path, before?.mode)) continue
    if (after === undefined && using.search.baseline.originallyAbsent.includes(path)) continue
    if (after !== undefined && findEvidence(using.search, path, { kind: 'blob', oid: after.oid }) !== 'none')
      continue
    if (!isReplayed) replay = await findOriginal(using.repo, commit, using.search, isClean)
    isReplayed = true
    if (replay?.gives(path, after?.oid) === true) continue
    const mixes = parent === undefined ? undefined : using.mixes(parent, path)
    if (mixes?.gives(path, after?.oid) === true) continue
    fixes.push(path)
  }
  return fixes
}

/** For new commits without a parent the old one that each was amended or rebased from; an orphan branch has none. */
export function rewrittenRoots(
  { commits }: MovedTip,
  { repo, search }: { readonly repo: OpenRepo; readonly search: EvidenceSearch },
): ReadonlyMap<Oid, Oid> {
  const found = new Map<Oid, Oid>()
  for (const commit of commits.filter(({ parents }) => parents.length === 0)) {
    const originals = findPicked(repo, commit, { search, tips: oldTips(search) })
    const root = originals.find(({ parents }) => parents.length === 0)
    if (root !== undefined) found.set(commit.oid, root.oid)
  }
  return found
}

/**
 * Of each new commit the newest older one below it, along first parents; none on an orphan branch.
 *
 * @param rewritten what {@link rewrittenRoots} found
 */
export function olderAncestors(
  { commits }: MovedTip,
  rewritten: ReadonlyMap<Oid, Oid>,
): ReadonlyMap<Oid, Oid> {
  const isNew = new Set(commits.map(({ oid }) => oid))
  const found = new Map<Oid, Oid>()
  for (const { oid, parents } of commits.toReversed()) {
    const below = parents[0] ?? rewritten.get(oid)
    const older = below === undefined || !isNew.has(below) ? below : found.get(below)
    if (older !== undefined) found.set(oid, older)
  }
  return found
}

/**
 * Whether a tip is another work tree's business: its branch is checked out there, or its commits were made there. Commits
 * that stand in no HEAD log can only be this tree's when there never was another.
 */
export function isElsewhere({ name, commits }: MovedTip, baseline: Baseline, refs: PinnedRefs): boolean {
  if (name === 'HEAD') return false
  const others = readOtherTrees(baseline)
  if (refs.elsewhere.includes(name) || others.some(({ branch }) => branch === name)) return true
  const own = new Set(readReflog(baseline, 'HEAD').map(({ after }) => after))
  if (commits.some(({ oid }) => own.has(oid))) return false
  return others.length > 0 || baseline.sawOtherTrees
}
