/** Walks and merges in memory, as `repo.ts` answers with them. */

import { hasErrno } from '../core/errors.ts'
import type { Oid, RepoPath } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import type { CommitInfo, CommitSearch, ReplayOrder } from '../native/types.ts'
import { initLibgit2, withGit } from './libgit2.ts'

/** Result of a merge in memory. */
export interface Replay {
  /** The commit that is merged, picked or reverted; undefined for what rests on several. */
  readonly of?: { readonly replay: ReplayOrder['kind']; readonly commit: Oid | undefined }
  /** Whether it leaves this blob at the path, or nothing for undefined. */
  gives(path: RepoPath, oid: Oid | undefined): boolean
}

/** A merge commit is picked and reverted against its first parent. */
export const mainlineOf = ({ parents }: CommitInfo): number => (parents.length > 1 ? 1 : 0)

/**
 * Commits that the tips reach and the hidden ones do not, children before parents.
 *
 * @param hidden ones that are not in the database hide nothing
 * @param most how many are read at the most
 */
export const walkSince = ({
  gitDir,
  ...search
}: CommitSearch & { readonly gitDir: string }): readonly CommitInfo[] =>
  withGit(gitDir, (git) =>
    native()
      .commitsSince(git, search)
      .map((oid) => native().commitInfo(git, oid))
      .filter((found) => found !== undefined),
  )

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
