/** The part of a check that comes first: which branches have new commits, and what is to become of each. */

import { olderOf, type Baseline, type PinnedRefs } from '../core/baseline.ts'
import type { Deadline } from '../core/deadline.ts'
import type { Env } from '../core/env.ts'
import type { Oid, RepoPath } from '../core/ids.ts'
import { digestOf } from '../native/digest.ts'
import { openAttributesView } from './attributes-view.ts'
import { entriesByPath, type Pinned } from './compare.ts'
import {
  changedBy,
  findMovedTips,
  fixesIn,
  isElsewhere,
  olderAncestors,
  rewrittenRoots,
  type MovedTip,
} from './new-commits.ts'
import { withGit } from './libgit2.ts'
import { headsText, readHead, readOtherTrees, readRefs } from './refs.ts'
import { findGained, oldTips } from './evidence.ts'
import { mixesOnto, picksBelow } from './mixes.ts'
import { openOrFail, type OpenRepo } from './repo.ts'
import type { Replay } from './walks.ts'
import { upstreamSince } from './survey.ts'

/** So many of the newest commits let pass are tried as what an amend replaced. */
const MOST_AMENDED = 5

export interface JudgedTip {
  readonly name: string
  readonly tip: Oid
  readonly pinned: Oid | undefined
  readonly keepsPinned: boolean
  /** Of each new commit the newest older one below it, oldest first; none on an orphan branch. */
  readonly olderAncestors: ReadonlyMap<Oid, Oid>
  readonly firstHead: Oid
  readonly isElsewhere: boolean
  /** HEAD is on it, so the commits' other changes are in the index. */
  readonly isCheckedOut: boolean
  /** Gated paths that got content that is not old, sorted. */
  readonly fixes: readonly RepoPath[]
  /** Ids of the commits that gave it, newest first. */
  readonly fixCommits: readonly Oid[]
  /** All new commits, newest first. */
  readonly commits: readonly Oid[]
  /** Other paths that the new commits change, sorted. */
  readonly others: readonly RepoPath[]
}

export interface CommitsFound {
  /** The repository has other work trees now. */
  readonly hasOtherTrees: boolean
  /** Stands for branches and HEAD as they were read. */
  readonly heads: string
  readonly tips: readonly JudgedTip[]
}

/**
 * @returns undefined when no branch and not HEAD has moved since the last check
 */
export async function surveyCommits(
  { baseline, index }: Pinned,
  using: {
    readonly env: Env
    readonly deadline: Deadline
    readonly scratch: string
    readonly readRefs: () => PinnedRefs
    readonly isExcluded: (path: RepoPath, mode: number | undefined) => boolean
  },
): Promise<CommitsFound | undefined> {
  const list = readRefs(baseline)
  const heads = digestOf(Buffer.from(headsText(baseline, list)))
  if (heads === baseline.heads) return undefined

  const head = readHead(baseline)
  const headRef = head.kind === 'broken' ? undefined : head.ref
  const refs = using.readRefs()
  const upstream = upstreamSince(baseline, refs)
  const repo = openOrFail(baseline.gitDir)
  const moved = findMovedTips(repo, baseline, { list, refs, upstream })
  const changes = findChanges(baseline, moved)
  const paths = [...new Set([...changes.values()].flat())].sort()
  const view = openAttributesView({
    ...baseline,
    ...using,
    commit: olderOf(baseline, baseline.head.oid),
    paths,
  })
  try {
    // A path that HEAD had and the index lacks is pinned as well.
    const indexed = entriesByPath(index, paths)
    const members = new Set(paths.filter((path) => indexed.has(path) || baseline.work[path] !== undefined))
    const outside = new Set(baseline.outside)
    const isGated = (path: RepoPath, mode: number | undefined): boolean =>
      (mode !== undefined || (members.has(path) && !outside.has(path))) &&
      !using.isExcluded(path, mode) &&
      !view.isGenerated(path)
    const search = {
      git: view.git,
      baseline,
      refs,
      upstream,
      gained: findGained(repo, { refs, upstream, baseline }),
      head: undefined,
      replays: [],
      sparse: new Set<RepoPath>(),
      deadline: using.deadline,
    }
    const picked = picksBelow({ ...search, tips: oldTips(search) })
    const tips: JudgedTip[] = []
    for (const tip of moved) {
      const fixes = new Set<RepoPath>()
      const fixCommits: Oid[] = []
      const rewritten = rewrittenRoots(tip, { repo, search })
      const mixes = (onto: Oid, path: RepoPath): Replay | undefined => {
        // What a fix below has made of the path is no old text.
        if (fixes.has(path)) return undefined
        // An amend replaces the commit that it was made on, so the changes may stand on one that was let pass.
        const bases = [onto, ...(Object.keys(baseline.letPass) as Oid[]).slice(-MOST_AMENDED)]
        const replays = bases.map((base) =>
          mixesOnto({ ...search, onto: base, picked, isStaged: () => true }),
        )
        return { gives: (name, oid) => replays.some((replay) => replay.gives(name, oid)) }
      }
      for (const commit of [...tip.commits].reverse()) {
        using.deadline.check('judging new commits')
        const found = await fixesIn(commit, changes.get(commit.oid) ?? [], {
          repo,
          view,
          search,
          isGated,
          mixes,
          rewritten,
        })
        if (found.length > 0) fixCommits.unshift(commit.oid)
        for (const path of found) fixes.add(path)
      }
      tips.push(
        describeTip(tip, {
          baseline,
          refs,
          fixes,
          fixCommits,
          changes,
          olderAncestors: olderAncestors(tip, rewritten),
          keepsPinned: keepsPinned(repo, tip),
          headRef,
        }),
      )
    }
    return { heads, tips, hasOtherTrees: readOtherTrees(baseline).length > 0 }
  } finally {
    view.close()
  }
}

function findChanges(baseline: Baseline, moved: readonly MovedTip[]): ReadonlyMap<Oid, readonly RepoPath[]> {
  const commits = new Map(moved.flatMap((tip) => tip.commits.map((commit) => [commit.oid, commit])))
  const starts = new Set(
    [...commits.values()].flatMap(({ oid, parents }) => (parents.length === 0 ? [oid] : [])),
  )
  return withGit(
    baseline.gitDir,
    (git) => new Map([...commits].map(([oid, commit]) => [oid, changedBy(git, commit, baseline, starts)])),
  )
}

function describeTip(
  tip: MovedTip,
  found: {
    readonly baseline: Baseline
    readonly refs: PinnedRefs
    readonly fixes: ReadonlySet<RepoPath>
    readonly fixCommits: readonly Oid[]
    readonly changes: ReadonlyMap<Oid, readonly RepoPath[]>
    readonly olderAncestors: ReadonlyMap<Oid, Oid>
    readonly keepsPinned: boolean
    /** The branch that is checked out. */
    readonly headRef: string | undefined
  },
): JudgedTip {
  const changed = new Set(tip.commits.flatMap(({ oid }) => found.changes.get(oid) ?? []))
  return {
    name: tip.name,
    tip: tip.tip,
    pinned: tip.pinned,
    keepsPinned: found.keepsPinned,
    olderAncestors: found.olderAncestors,
    firstHead: found.baseline.firstHead.oid,
    isElsewhere: isElsewhere(tip, found.baseline, found.refs),
    isCheckedOut: tip.name === 'HEAD' || tip.name === found.headRef,
    fixes: [...found.fixes].sort(),
    fixCommits: found.fixCommits,
    commits: tip.commits.map(({ oid }) => oid),
    others: [...changed].filter((path) => !found.fixes.has(path)).sort(),
  }
}

const keepsPinned = (repo: OpenRepo, { pinned, tip }: MovedTip): boolean =>
  pinned !== undefined && repo.isReachable(pinned, [tip])
