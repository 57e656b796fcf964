/** Walks and merges in memory, as `repo.ts` answers with them. */

import { hasErrno } from '../core/errors.ts'
import { asOid, type Oid, type RepoPath } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import type { CommitSearch, ReplayOrder } from '../native/types.ts'
import { initLibgit2, withGit } from './libgit2.ts'
import { call, type Binary, type NativeCommit, type NativeRepo } from './nodegit.ts'

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
  { gitDir, ...search }: CommitSearch & { readonly gitDir: string },
): Promise<readonly CommitInfo[]> {
  const found = withGit(gitDir, (handle) => native().commitsSince(handle, search))
  const commits: CommitInfo[] = []
  for (const oid of found)
    commits.push(infoOf(oid, await call(git.Commit.lookup, repo, git.Oid.fromString(oid))))
  return commits
}

/** Commits that are looked at below one that no tip is above. */
const MOST_BELOW = 1_000

/** Whether a commit is an ancestor of one of the tips; one that is not in the database is not. */
export function isBelow(
  commit: Oid,
  { gitDir, tips }: { readonly gitDir: string; readonly tips: readonly Oid[] },
): boolean {
  try {
    const search = { tips: [commit], hidden: tips, most: MOST_BELOW }
    return !withGit(gitDir, (git) => native().commitsSince(git, search)).includes(commit)
  } catch (error) {
    if (hasErrno(error, 'ENOENT')) return false
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

/** For questions to objects that may be gone or be something else. A disk that fails is no answer. */
export async function orUndefined<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if (isNoSuchObject(error)) return undefined
    throw error
  }
}

/** `GIT_ENOTFOUND` */
const NOT_FOUND = -3

const isNoSuchObject = (error: unknown): boolean =>
  error instanceof Error &&
  (('errno' in error && error.errno === NOT_FOUND) || /object is no commit object/.test(error.message))
