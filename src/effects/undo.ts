/** Moves branches back, so that the commits above stay reachable and nothing but the ref changes. */

import type { Oid } from '../core/ids.ts'
import { writeMergeFiles } from '../git/operation.ts'
import { readReflog, type GitDirs } from '../git/refs.ts'
import { openOrFail } from '../git/repo.ts'
import type { StatePaths } from '../store/paths.ts'
import { noteUndone } from '../store/undone.ts'

export interface UndoOrder {
  readonly dirs: GitDirs
  /** Full name of the branch; `HEAD` when detached. */
  readonly name: string
  readonly from: Oid
  readonly to: Oid
  /** Commits that this takes off the branch. */
  readonly commits: readonly Oid[]
  /** Files of a merge that was open at the baseline and is concluded by these commits. */
  readonly mergeFiles: Readonly<Record<string, string>>
}

/** @returns false when the branch moved meanwhile: nothing was done, and it has to be judged again */
export async function undoCommits(order: UndoOrder, paths: StatePaths): Promise<boolean> {
  const { dirs, name, from, to } = order
  const repo = await openOrFail(dirs.gitDir)
  noteUndone(paths, dirs.commonDir, order.commits)
  if (!isLogged(dirs, name, from)) await repo.createRef(`refs/gstack-gates/undone/${from}`, from)
  const moved = await repo.moveRef(name, { from, to, message: `gstack-gates: undo ${from.slice(0, 12)}` })
  if (moved) writeMergeFiles(dirs.gitDir, order.mergeFiles)
  return moved
}

/** Whether a reflog keeps the commit. */
const isLogged = (dirs: GitDirs, name: string, commit: Oid): boolean =>
  [name, 'HEAD'].some((log) => readReflog(dirs, log).some(({ after }) => after === commit))

/** Puts HEAD back on a branch; the one it leaves stays as it is. @returns false when HEAD moved meanwhile */
export async function leaveBranch(dirs: GitDirs, from: string, to: string): Promise<boolean> {
  return await (await openOrFail(dirs.gitDir)).switchHead(from, to)
}
