/** Walks and merges in memory, as `repo.ts` answers with them. */

import { asOid, type Oid, type RepoPath } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import type { ReplayOrder } from '../native/types.ts'
import { initLibgit2 } from './libgit2.ts'
import { call, type Binary, type NativeCommit, type NativeRepo, type NativeWalk } from './nodegit.ts'

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
  /** The commit that is merged, picked or reverted; undefined for what rests on several. */
  readonly of?: { readonly replay: ReplayOrder['kind']; readonly commit: Oid | undefined }
  /** Whether it leaves this blob at the path, or nothing for undefined. */
  gives(path: RepoPath, oid: Oid | undefined): boolean
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

/**
 * Commits that the tips reach and the hidden ones do not, children before parents.
 *
 * @param hidden ones that are not in the database hide nothing
 * @param most how many are read at the most
 */
export async function walkSince(
  git: Binary,
  repo: NativeRepo,
  { tips, hidden, most }: { tips: readonly Oid[]; hidden: readonly Oid[]; most: number },
): Promise<readonly CommitInfo[]> {
  const walk = git.Revwalk.create(repo)
  walk.sorting(SORT_TOPOLOGICAL)
  for (const tip of tips) walk.push(git.Oid.fromString(tip))
  for (const oid of hidden) ifThere(() => walk.hide(git.Oid.fromString(oid)))
  return await take(git, repo, walk, most)
}

async function take(
  git: Binary,
  repo: NativeRepo,
  walk: NativeWalk,
  most: number,
): Promise<readonly CommitInfo[]> {
  const commits: CommitInfo[] = []
  while (commits.length < most) {
    const oid = await nextOf(walk)
    if (oid === undefined) return commits
    commits.push(infoOf(oid, await call(git.Commit.lookup, repo, git.Oid.fromString(oid))))
  }
  return commits
}

/** For acts on what may be gone: a pinned reflog entry, a tag that names a blob, a ref that another git holds. */
export function ifThere(act: () => void): void {
  try {
    act()
  } catch (error) {
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

/** @returns undefined when it cannot be made */
export function replay(order: ReplayOrder): Replay | undefined {
  try {
    initLibgit2()
    const made = native().replay(order)
    return {
      of: { replay: order.kind, commit: order.others[0] },
      gives(path, oid) {
        const given = native().replayedAt(made, path)
        return !given.isConflicted && given.oid === oid
      },
    }
  } catch (error) {
    // A missing object, or histories that libgit2 cannot merge: there is no answer.
    if (error instanceof Error && 'syscall' in error) return undefined
    throw error
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
