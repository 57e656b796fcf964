/** Walks and merges in memory, as `repo.ts` answers with them. */

import { asOid, repoPathToText, type Oid, type RepoPath } from '../core/ids.ts'
import {
  call,
  type Binary,
  type NativeCommit,
  type NativeIndex,
  type NativeRepo,
  type NativeWalk,
} from './nodegit.ts'

/** `GIT_SORT_TOPOLOGICAL`: children before their parents. */
const SORT_TOPOLOGICAL = 1
/** `GIT_ITEROVER` */
const ITERATION_OVER = -31

export interface CommitInfo {
  readonly oid: Oid
  readonly parents: readonly Oid[]
  readonly message: string
  /** Name, mail and time of the author, which a rebase and a cherry-pick keep. */
  readonly author: string
}

/** Result of a merge in memory. */
export interface Replay {
  /** Blob at the path; undefined when it is gone or in conflict. Names that are not UTF-8 are gone. */
  blobAt(path: RepoPath): Oid | undefined
  isConflicted(path: RepoPath): boolean
}

/** A merge commit is picked and reverted against its first parent. */
export const mainlineOf = ({ parents }: CommitInfo): number => (parents.length > 1 ? 1 : 0)

export function infoOf(oid: Oid, commit: NativeCommit): CommitInfo {
  const author = commit.author()
  return {
    oid,
    parents: Array.from({ length: commit.parentcount() }, (_, index) =>
      asOid(commit.parentId(index).tostrS()),
    ),
    message: commit.message(),
    author: `${author.name()} <${author.email()}> ${String(author.when().time())}`,
  }
}

export async function walkSince(
  git: Binary,
  repo: NativeRepo,
  { tip, hidden, most }: { tip: Oid; hidden: readonly Oid[]; most: number },
): Promise<readonly CommitInfo[]> {
  const walk = git.Revwalk.create(repo)
  walk.sorting(SORT_TOPOLOGICAL)
  walk.push(git.Oid.fromString(tip))
  for (const oid of hidden) hideCommit(git, walk, oid)
  const commits: CommitInfo[] = []
  while (commits.length < most) {
    const oid = await nextOf(walk)
    if (oid === undefined) return commits
    commits.push(infoOf(oid, await call(git.Commit.lookup, repo, git.Oid.fromString(oid))))
  }
  return commits
}

function hideCommit(git: Binary, walk: NativeWalk, oid: Oid): void {
  try {
    walk.hide(git.Oid.fromString(oid))
  } catch (error) {
    // A pinned reflog entry may be gone, a tag may name a blob: neither hides anything.
    if (!(error instanceof Error)) throw error
  }
}

async function nextOf(walk: NativeWalk): Promise<Oid | undefined> {
  try {
    const next: NativeWalk['next'] = walk.next.bind(walk)
    return asOid((await call(next)).tostrS())
  } catch (error) {
    if (error instanceof Error && 'errno' in error && error.errno === ITERATION_OVER) return undefined
    throw error
  }
}

export async function replay(make: () => Promise<NativeIndex>): Promise<Replay | undefined> {
  const index = await orUndefined(make())
  if (index === undefined) return undefined
  const blobAt = (path: RepoPath): Oid | undefined => {
    const name = repoPathToText(path)
    const entry = name === undefined ? undefined : index.getByPath(name, 0)
    // The stage's bits of an index entry's flags.
    return entry && ((entry.flags >> 12) & 3) === 0 ? asOid(entry.id.tostrS()) : undefined
  }
  return {
    blobAt,
    // The stages of a conflict cannot be asked for; a path without a blob in a merge with conflicts may be one of them.
    isConflicted: (path) => index.hasConflicts() === 1 && blobAt(path) === undefined,
  }
}

/** For questions whose failure means that there is no answer: a missing object, a lost race. */
export async function orUndefined<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}
