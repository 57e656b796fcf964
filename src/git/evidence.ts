/**
 * Is this content old? Looks in the order that is cheapest: what the baseline itself held, HEAD's tree, the object
 * database (content that is not there is in no commit of before), then history.
 */

import { existsSync } from 'node:fs'
import type { Baseline, Evidence, PinnedRefs } from '../core/baseline.ts'
import type { Deadline } from '../core/deadline.ts'
import { hasErrno } from '../core/errors.ts'
import type { Oid, RepoPath } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import type { GitHandle, ReplayOrder } from '../native/types.ts'
import type { OpenRepo } from './repo.ts'
import type { Replay } from './walks.ts'

export interface EvidenceSearch {
  readonly git: GitHandle
  readonly baseline: Baseline
  readonly refs: PinnedRefs
  /** HEAD, when it is an old or upstream commit. */
  readonly head: Oid | undefined
  /** Tips of remote-tracking refs and FETCH_HEAD that were not pinned. */
  readonly upstream: readonly Oid[]
  /** Commits that count as old by now and were not pinned. */
  readonly gained: Gained
  /** What git's own merges of old inputs give at this moment. */
  readonly replays: readonly Replay[]
  /** Paths that the sparse patterns leave out of the work tree. */
  readonly sparse: ReadonlySet<RepoPath>
  readonly deadline: Deadline
}

export interface Gained {
  readonly commits: readonly Oid[]
  /** There are too many to look at all. */
  readonly hasMore: boolean
}

export const NOTHING_GAINED: Gained = { commits: [], hasMore: false }

/** What a path holds, in the work tree or in the index. */
export type Held =
  { readonly kind: 'blob'; readonly oid: Oid } | { readonly kind: 'absent'; readonly fromIndex: boolean }

/** Evidence, and what gives it where that is a commit. */
export interface Proof {
  readonly evidence: Evidence
  /** The commit that holds the content, or the one whose merge, pick or revert gives it. */
  readonly commit?: Oid | undefined
  /** How git makes it of that commit. */
  readonly replay?: ReplayOrder['kind']
}

export const findEvidence = (search: EvidenceSearch, path: RepoPath, held: Held): Evidence =>
  findProof(search, path, held).evidence

/**
 * What shows that content is old, in the order that docs/skill-gates.md gives ("What is not a fix write").
 *
 * @returns evidence `none` when nothing does, `unknown` when history could not be searched to its end
 */
export function findProof(search: EvidenceSearch, path: RepoPath, held: Held): Proof {
  const { git, baseline, head } = search
  if (held.kind === 'absent' && baseline.originallyAbsent.includes(path)) return { evidence: 'baseline' }
  if (held.kind === 'absent' && search.sparse.has(path)) return { evidence: 'absent-there' }
  if (held.kind === 'absent' && isAbsentAtHead(search, path, held.fromIndex))
    return { evidence: 'absent-there', commit: head }
  if (held.kind === 'absent') {
    const replay = search.replays.find((made) => made.gives(path, undefined))
    return replay === undefined ? { evidence: 'none' } : { evidence: 'replay', ...replay.of }
  }
  const { oid } = held
  if (baseline.originals[path]?.includes(oid) === true) return { evidence: 'baseline' }
  if (baseline.unknown[path]?.includes(oid) === true) return { evidence: 'unknown' }
  if (head !== undefined && blobAt(git, head, path) === oid) return { evidence: 'head', commit: head }
  const first = baseline.firstHead.oid
  if (blobAt(git, first, path) === oid) return { evidence: 'old-commit', commit: first }

  const provenNew = isProvenNew(search, oid)
  if (!provenNew) {
    const old = searchHistory(search, path, oid)
    if (old === 'unknown') return { evidence: 'unknown' }
    if (old !== 'none') return { evidence: 'old-commit', commit: old }
  }
  const gained = searchGained(search, path, oid)
  if (gained !== 'unknown' && gained !== 'none') return { evidence: 'upstream', commit: gained }
  const replay = search.replays.find((made) => made.gives(path, oid))
  if (replay !== undefined) return { evidence: 'replay', ...replay.of }
  return { evidence: gained === 'unknown' && !provenNew ? 'unknown' : 'none' }
}

/**
 * A path may vanish when the old commit that HEAD moved to does not have it, and a file that was only staged may leave
 * the index again.
 */
function isAbsentAtHead(
  { git, baseline, head }: EvidenceSearch,
  path: RepoPath,
  fromIndex: boolean,
): boolean {
  return (
    head !== undefined && (head !== baseline.head.oid || fromIndex) && blobAt(git, head, path) === undefined
  )
}

/**
 * Content that no commit of before can hold: it is not in the database, or its loose file was born after the baseline.
 * A new pack proves nothing, nor does a file system without birth times.
 */
function isProvenNew({ git, baseline }: EvidenceSearch, oid: Oid): boolean {
  const { exists, loosePath } = native().objectInfo(git, oid)
  if (!exists) return true
  if (loosePath === undefined || !existsSync(loosePath)) return false
  const bornMs = native().birthTimeMs(loosePath)
  return bornMs !== undefined && bornMs > baseline.pinnedAtMs
}

function searchHistory(
  { git, refs, deadline }: EvidenceSearch,
  path: RepoPath,
  oid: Oid,
): Oid | 'unknown' | 'none' {
  const budgetMs = Math.max(1, Math.floor(deadline.remaining() - deadline.totalMs / 2))
  const { found, complete, missing } = native().findBlob(git, { tips: refs.tips, path, oid, budgetMs })
  if (found !== undefined) return found
  return complete && !missing ? 'none' : 'unknown'
}

function searchGained(
  { git, gained, deadline }: EvidenceSearch,
  path: RepoPath,
  oid: Oid,
): Oid | 'unknown' | 'none' {
  for (const commit of gained.commits) {
    if (deadline.remaining() < deadline.totalMs / 2) return 'unknown'
    if (blobAt(git, commit, path) === oid) return commit
  }
  return gained.hasMore ? 'unknown' : 'none'
}

/** Blob of the path in a commit; undefined where there is none, or none here as in a shallow or partial clone. */
export function blobAt(git: GitHandle, commit: Oid, path: RepoPath): Oid | undefined {
  try {
    return native().blobAt(git, commit, path)?.oid
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return undefined
    throw error
  }
}

/** More new commits than this are not looked at. */
const MOST_GAINED = 5_000

/** Commits that remotes have by now, and those that earlier checks took for old or let pass. */
export function findGained(
  repo: OpenRepo,
  from: Pick<EvidenceSearch, 'refs' | 'upstream' | 'baseline'>,
): Gained {
  const pinned = new Set(from.refs.tips)
  const since = [...new Set(oldTips(from))].filter((tip) => !pinned.has(tip))
  const tips = repo.commits(since).map(({ oid }) => oid)
  if (tips.length === 0) return NOTHING_GAINED
  const commits = repo.commitsSince({ tips, hidden: from.refs.tips, most: MOST_GAINED })
  return { commits: commits.map(({ oid }) => oid), hasMore: commits.length === MOST_GAINED }
}

/** Everything that counts as old: what was pinned, what remotes have, and what earlier checks took for old. */
export const oldTips = ({
  refs,
  upstream,
  baseline,
}: Pick<EvidenceSearch, 'refs' | 'upstream' | 'baseline'>): readonly Oid[] => [
  ...refs.tips,
  ...upstream,
  ...baseline.accepted,
  ...(Object.keys(baseline.letPass) as Oid[]),
]
