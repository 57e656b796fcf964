/** Moves branches back, so that the commits above stay reachable and nothing but the ref changes. */

import type { Head } from '../core/baseline.ts'
import type { Oid } from '../core/ids.ts'
import { writeMergeFiles } from '../git/operation.ts'
import { moveRef, switchHead, type RefLock } from '../git/move-ref.ts'
import { readRef, readReflog, type GitDirs } from '../git/refs.ts'
import type { Pass } from '../store/in-flight.ts'
import type { StatePaths } from '../store/paths.ts'
import { noteUndone } from '../store/undone.ts'
import { undoneRef } from './undone-refs.ts'

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
  /** Top of the work tree. */
  readonly root: string
  /** What is said of it. */
  readonly lines: readonly string[]
}

/**
 * @returns false when the branch moved meanwhile, or another git holds its lock: nothing was done, and it has to be judged
 *   again
 * @throws GateError GATE_GIT when a ref cannot be written
 */
export function undoCommits(order: UndoOrder, paths: StatePaths, pass: Pass): boolean {
  const { dirs, name, from, to, root, mergeFiles, lines } = order
  const noteLock = lockNoter(pass)
  noteUndone(paths, dirs.commonDir, order.commits)
  const kept = undoneRef(from)
  const isKept = isLogged(dirs, name, from) || readRef(dirs, kept) === from
  if (!isKept && !moveRef({ dirs, name: kept, from: undefined, to: from, message: '', noteLock }))
    return false
  pass.note({ undo: [{ root, ...gitDirsOf(dirs), name, from, to, mergeFiles, lines }] })
  const message = `gstack-gates: undo ${from.slice(0, 12)}`
  const moved = moveRef({ dirs, name, from, to, message, noteLock })
  if (moved) writeMergeFiles(dirs.gitDir, mergeFiles)
  return moved
}

/** Whether a reflog keeps the commit. */
const isLogged = (dirs: GitDirs, name: string, commit: Oid): boolean =>
  [name, 'HEAD'].some((log) => readReflog(dirs, log).some(({ after }) => after === commit))

/** Puts HEAD back to where it stood; the branch that it leaves stays as it is. @returns false as {@link undoCommits} */
export function leaveBranch(
  { dirs, from, to, root, lines }: Pick<UndoOrder, 'dirs' | 'root' | 'lines'> & { from: string; to: Head },
  pass: Pass,
): boolean {
  const undo = { root, ...gitDirsOf(dirs), name: 'HEAD', from, to: to.ref ?? to.oid, mergeFiles: {}, lines }
  pass.note({ undo: [undo] })
  return switchHead({ dirs, from, to, message: 'gstack-gates: back', noteLock: lockNoter(pass) })
}

const lockNoter =
  (pass: Pass) =>
  (refLock: RefLock): void => {
    pass.note({ refLock })
  }

const gitDirsOf = ({ gitDir, commonDir }: GitDirs): GitDirs => ({ gitDir, commonDir })
