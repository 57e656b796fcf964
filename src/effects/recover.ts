/**
 * Finishes what one pass left that is gone: its index lock goes, files beside their targets become kept copies, and what it
 * had done without saying so is found out.
 */

import { existsSync, lstatSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { isoTime } from '../core/iso-time.ts'
import { asRepoPath, type RepoPath } from '../core/ids.ts'
import { indexPathOf } from '../git/index-file.ts'
import { releaseRefLock } from '../git/move-ref.ts'
import { writeMergeFiles } from '../git/operation.ts'
import { readHead, readRef, readReflog, type GitDirs } from '../git/refs.ts'
import { native } from '../native/binding.ts'
import { fileOfRow } from '../native/types.ts'
import type { InFlight, PlannedUndo, Temporary } from '../store/in-flight.ts'
import { keptPath, listKept, makeKeptDir, newKeptName, noteKept, type KeptCopy } from '../store/kept.ts'
import type { LateWork } from '../store/late.ts'
import { sweepScratch } from '../store/scratch.ts'

/** @returns what the pass had done; finishing the same pass again changes nothing and gives the same answer */
export function finishPass(mark: InFlight, sessionDir: string, now: Date): readonly LateWork[] {
  const { newIndex, refLock, temporaries = [], undo = [], late = [] } = mark
  sweepScratch(sessionDir, mark.pid)
  if (refLock !== undefined) releaseRefLock(refLock)
  const entries = newIndex === undefined ? [] : finishIndex(newIndex)
  const left = temporaries.filter(({ root }) => existsSync(root))
  noteMoved(left, sessionDir, now)
  const files = left.flatMap((temporary) => finishFile(temporary, sessionDir, now))
  const paths = new Set(files.map((work) => (work.kind === 'put-back' ? work.path : undefined)))
  return [
    ...late,
    ...undo.flatMap(finishUndo),
    ...files,
    ...entries.filter((work) => work.kind !== 'put-back' || !paths.has(work.path)),
  ]
}

function finishIndex({
  gitDir,
  id,
  tempName,
  root,
  paths = [],
}: NonNullable<InFlight['newIndex']>): LateWork[] {
  if (!existsSync(gitDir)) return []
  const indexPath = indexPathOf(gitDir)
  if (id !== undefined) native().releaseStaleLock({ indexPath, ...id })
  rmSync(path.join(gitDir, tempName), { force: true })
  const index = statSync(indexPath, { bigint: true, throwIfNoEntry: false })
  // The index is the very file that the pass prepared, so nothing is between its entries and us.
  const isIn = id !== undefined && String(index?.ino) === id.ino && String(index?.dev) === id.dev
  if (!isIn || root === undefined) return []
  return paths.map((name) => ({ kind: 'put-back', root, path: name, copy: undefined, onlyStaged: true }))
}

/** Lists kept copies that the pass had made and could not list any more. */
function noteMoved(temporaries: readonly Temporary[], sessionDir: string, now: Date): void {
  const moved = temporaries.flatMap(({ root, path: target, keptName }): KeptCopy[] =>
    keptName === undefined || movedTo(sessionDir, keptName) === undefined
      ? []
      : [{ at: isoTime(now), name: keptName, root, path: target, why: 'put-back' }],
  )
  if (moved.length === 0) return
  const listed = new Set(listKept(sessionDir).map(({ name }) => name))
  noteKept(
    sessionDir,
    moved.filter(({ name }) => !listed.has(name)),
  )
}

function movedTo(sessionDir: string, keptName: string): string | undefined {
  const file = keptPath(sessionDir, keptName)
  return lstatSync(file, { throwIfNoEntry: false }) === undefined ? undefined : file
}

function finishFile(temporary: Temporary, sessionDir: string, now: Date): LateWork[] {
  const { root, path: target, keptName, displaces } = temporary
  const adopted = adopt(temporary, sessionDir, now)
  const moved = keptName === undefined ? undefined : movedTo(sessionDir, keptName)
  const isMade =
    displaces === undefined && adopted === undefined && native().statRow(root, target).kind === 'file'
  const isDisplaced = displaces !== undefined && adopted?.file === displaces
  const copy = moved ?? (isDisplaced ? adopted.copy : undefined)
  if (copy === undefined && !isMade) return []
  return [{ kind: 'put-back', root, path: target, copy, onlyStaged: false }]
}

interface Adopted {
  readonly copy: string
  /** Inode and device. */
  readonly file: string
}

/** Makes a kept copy of what stands beside the target: the displaced file, or the new one that never got there. */
function adopt(
  { root, path: target, tempName }: Temporary,
  sessionDir: string,
  now: Date,
): Adopted | undefined {
  const beside = siblingOf(target, tempName)
  const { kind, row } = native().statRow(root, beside)
  if (kind !== 'file' && kind !== 'link') return undefined
  makeKeptDir(sessionDir)
  const name = newKeptName(target, now)
  const copy = keptPath(sessionDir, name)
  const { kept, linkTarget } = native().removeAt({
    root,
    path: beside,
    tempName: `${tempName}-gone`,
    keepPath: copy,
  })
  if (kept === undefined) return undefined // another hook came first
  const link = linkTarget === undefined ? {} : { linkTarget: linkTarget.toString('latin1') }
  noteKept(sessionDir, [{ at: isoTime(now), name, root, path: target, why: 'adopted', ...link }])
  return { copy, file: fileOfRow(row) }
}

const siblingOf = (target: RepoPath, name: string): RepoPath =>
  asRepoPath(target.slice(0, target.lastIndexOf('/') + 1) + name)

function finishUndo({ root, gitDir, commonDir, name, from, to, lines, mergeFiles }: PlannedUndo): LateWork[] {
  if (!existsSync(gitDir)) return []
  const dirs = { gitDir, commonDir }
  if (!hasMoved(dirs, { name, from, to })) return []
  writeMergeFiles(gitDir, mergeFiles)
  return [{ kind: 'undone', root, lines }]
}

/** A ref that others moved on since is told by its log. */
function hasMoved(dirs: GitDirs, { name, from, to }: Pick<PlannedUndo, 'name' | 'from' | 'to'>): boolean {
  const head = readHead(dirs)
  if (name === 'HEAD' && to.startsWith('refs/')) return head.kind !== 'broken' && head.ref === to
  if (readRef(dirs, name) === to) return true
  return readReflog(dirs, name).some(({ before, after }) => before === from && after === to)
}
