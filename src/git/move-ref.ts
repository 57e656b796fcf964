/**
 * Moves refs by git's own lock protocol. Not through libgit2, which a kill makes leave a `<ref>.lock` that nobody can tell
 * from another git's, and with it no git can move that branch again. Here the lock is a second name of a file whose identity
 * was noted before, as for the index.
 */

import { randomBytes } from 'node:crypto'
import {
  appendFileSync,
  closeSync,
  existsSync,
  fsyncSync,
  linkSync,
  lstatSync,
  mkdirSync,
  openSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs'
import path from 'node:path'
import { GateError, hasErrno, isSystemError, messageOf } from '../core/errors.ts'
import type { Head } from '../core/baseline.ts'
import type { Oid } from '../core/ids.ts'
import type { FileId } from '../native/types.ts'
import { readHead, readRef, type GitDirs } from './refs.ts'

/** A lock file that is about to be taken, and the file that it becomes another name of. */
export interface RefLock {
  readonly lock: string
  readonly temp: string
  /** undefined before that file is made. */
  readonly id?: FileId
}

export interface RefMove {
  readonly dirs: GitDirs
  /** Full name; `HEAD` when it is detached. */
  readonly name: string
  /** Where it must stand; undefined: nowhere yet. */
  readonly from: Oid | undefined
  readonly to: Oid
  readonly message: string
  /** Told the lock before it exists, so that a later pass can remove it. */
  readonly noteLock: (lock: RefLock) => void
}

/**
 * @returns false when the ref stands elsewhere or somebody else holds its lock: nothing was done
 * @throws GateError GATE_GIT when it cannot be written; it is then as it was
 */
export function moveRef(move: RefMove): boolean {
  const { dirs, name, from, to, message } = move
  const base = name.startsWith('refs/') ? dirs.commonDir : dirs.gitDir
  return underLock(move, { file: path.join(base, name), content: `${to}\n` }, () => {
    if (readRef(dirs, name) !== from) return false
    if (from === undefined) return true
    const head = readHead(dirs)
    const isCheckedOut = head.kind === 'commit' && head.ref === name
    for (const log of isCheckedOut ? [name, 'HEAD'] : [name]) appendToReflog(dirs, log, { from, to, message })
    return true
  })
}

/** Puts HEAD on another branch, or detached on a commit. @returns false when it is no longer on `from` @throws GateError GATE_GIT */
export function switchHead(
  move: Pick<RefMove, 'dirs' | 'message' | 'noteLock'> & { readonly from: string; readonly to: Head },
): boolean {
  const { dirs, from, to, message } = move
  const content = to.ref === undefined ? `${to.oid}\n` : `ref: ${to.ref}\n`
  return underLock(move, { file: path.join(dirs.gitDir, 'HEAD'), content }, () => {
    const head = readHead(dirs)
    const target = to.ref === undefined ? to.oid : readRef(dirs, to.ref)
    if (head.kind === 'broken' || head.ref !== from || target === undefined) return false
    if (head.kind === 'commit') appendToReflog(dirs, 'HEAD', { from: head.oid, to: target, message })
    return true
  })
}

/** @param isAsExpected asked while the lock is held; false leaves the file as it is */
function underLock(
  { dirs: { commonDir }, noteLock }: Pick<RefMove, 'dirs' | 'noteLock'>,
  { file, content }: { readonly file: string; readonly content: string },
  isAsExpected: () => boolean,
): boolean {
  const lock = `${file}.lock`
  const temp = path.join(commonDir, `gstack-gate-${randomBytes(6).toString('hex')}.tmp`)
  noteLock({ lock, temp })
  try {
    mkdirSync(path.dirname(file), { recursive: true })
    noteLock({ lock, temp, id: writeNew(temp, content) })
    linkSync(temp, lock)
  } catch (error) {
    rmSync(temp, { force: true })
    if (hasErrno(error, 'EEXIST')) return false
    throw asGitError(file, error)
  }
  try {
    if (!isAsExpected()) return false
    renameSync(lock, file)
    return true
  } catch (error) {
    throw asGitError(file, error)
  } finally {
    // Once renamed, the lock's name may be another git's already.
    if (existsSync(temp) && isSameFile(temp, lock)) rmSync(lock, { force: true })
    rmSync(temp, { force: true })
  }
}

function writeNew(file: string, content: string): FileId {
  const opened = openSync(file, 'wx', 0o666)
  try {
    writeSync(opened, content)
    // As git does for refs: a branch that points nowhere after a power cut would be worse than a slow undo.
    fsyncSync(opened)
  } finally {
    closeSync(opened)
  }
  const { ino, dev } = lstatSync(file, { bigint: true })
  return { ino: String(ino), dev: String(dev) }
}

function isSameFile(one: string, other: string): boolean {
  const [left, right] = [one, other].map((file) => lstatSync(file, { bigint: true, throwIfNoEntry: false }))
  return left !== undefined && right !== undefined && left.ino === right.ino && left.dev === right.dev
}

const WHO = 'gstack-gates <gstack-gates@localhost>'

/** Only where there is a log already; what no log keeps is kept by a ref. */
function appendToReflog(
  dirs: GitDirs,
  name: string,
  { from, to, message }: Pick<RefMove, 'message'> & { readonly from: Oid; readonly to: Oid },
): void {
  const base = name.startsWith('refs/') ? dirs.commonDir : dirs.gitDir
  const log = path.join(base, 'logs', name)
  if (!existsSync(log)) return
  const seconds = String(Math.floor(Date.now() / 1000))
  appendFileSync(log, `${from} ${to} ${WHO} ${seconds} +0000\t${message}\n`)
}

function asGitError(file: string, error: unknown): unknown {
  if (!isSystemError(error)) return error
  return new GateError('GATE_GIT', `git update-ref failed: ${messageOf(error)}: ${file}`, { cause: error })
}

/** Removes a lock that a killed pass noted, when it is the very one. */
export function releaseRefLock({ lock, temp, id }: RefLock): void {
  const found = lstatSync(lock, { bigint: true, throwIfNoEntry: false })
  if (id !== undefined && String(found?.ino) === id.ino && String(found?.dev) === id.dev)
    rmSync(lock, { force: true })
  rmSync(temp, { force: true })
}
