/** Content that is not held in memory: read, digested and copied piece by piece. */

import {
  chmodSync,
  closeSync,
  constants,
  copyFileSync,
  openSync,
  readFileSync,
  readSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs'
import { isHeld, type Content, type OwnContent, type ReadFrom, type TreeFile } from '../core/content.ts'
import { hasErrno, isSystemError } from '../core/errors.ts'
import { asOid, asSha256, type Oid, type RepoPath, type Sha256 } from '../core/ids.ts'
import { native } from './binding.ts'
import { digestOf, newHash } from './digest.ts'
import { isSameStat, isYoungRow, type GitHandle } from './types.ts'

const PIECE_BYTES = 1024 * 1024
/** Fewer bytes are written sooner than their blocks are shared. */
const CLONED_BYTES = 64 * 1024
const MOST_TRIES = 3

export interface LargeFile {
  readonly content: TreeFile
  readonly row: Buffer
  /** `st_mode`. */
  readonly mode: number
}

/** Digests a file of a work tree while its stat data stands still. @throws as {@link Native.openFileAt} */
export function digestFileAt(root: string, path: RepoPath): LargeFile {
  for (let tries = 1; ; tries++) {
    try {
      return digestOnce(root, path)
    } catch (error) {
      if (tries === MOST_TRIES || !hasErrno(error, 'EAGAIN')) throw error
    }
  }
}

function digestOnce(root: string, path: RepoPath): LargeFile {
  const { file, row, mode, sizeBytes } = native().openFileAt(root, path)
  return closing(file, () => {
    const sha256 = newHash('sha256')
    const blob = newBlobHash(sizeBytes)
    for (const piece of piecesOf(file)) {
      sha256.update(piece)
      blob.update(piece)
    }
    expectStill({ root, path, row })
    const digests = { sha256: asSha256(sha256.digest('hex')), rawOid: asOid(blob.digest('hex')) }
    return { content: { kind: 'tree', root, path, row, sizeBytes, ...digests }, row, mode }
  })
}

const newBlobHash = (sizeBytes: number) => newHash('sha1').update(`blob ${String(sizeBytes)}\0`)

function expectStill({ root, path, row }: ReadFrom): void {
  if (!isSameStat(row, native().statRow(root, path).row)) throw changedMeanwhile(path)
}

const changedMeanwhile = (path: RepoPath): Error =>
  Object.assign(new Error(`the file changed while it was read: ${path}`), { code: 'EAGAIN' })

/** Each piece holds until the next is asked for. */
function* piecesOf(file: number): Generator<Buffer> {
  const piece = Buffer.allocUnsafe(PIECE_BYTES)
  for (;;) {
    const size = readSync(file, piece, 0, PIECE_BYTES, null)
    if (size === 0) return
    yield piece.subarray(0, size)
  }
}

export function sha256Of(content: Content): Sha256 {
  if (isHeld(content)) return digestOf(content)
  return content.kind === 'tree' ? content.sha256 : sha256OfOwn(content.file)
}

function sha256OfOwn(file: string | Buffer): Sha256 {
  const hash = newHash('sha256')
  readOwn(file, (piece) => hash.update(piece))
  return asSha256(hash.digest('hex'))
}

/** Id of a blob of just this content. */
export function rawOidOf(content: Content): Oid {
  if (isHeld(content)) return native().hashBlob(content)
  if (content.kind === 'tree') return content.rawOid
  const hash = newBlobHash(content.sizeBytes)
  readOwn(content.file, (piece) => hash.update(piece))
  return asOid(hash.digest('hex'))
}

/** Id of the content as git would store it at the path. @param view where the path's attributes come from */
export function cleanedOidOf(view: GitHandle, path: RepoPath, content: Content): Oid {
  if (isHeld(content)) return native().cleanedId(view, path, content)
  if (!native().mayClean(view, path)) return rawOidOf(content)
  if (content.kind === 'own') return withOwn(content.file, (file) => native().cleanedId(view, path, file))
  const { file } = native().openFileAt(content.root, content.path)
  return closing(file, () => {
    const oid = native().cleanedId(view, path, file)
    expectStill(content)
    return oid
  })
}

/** @param isToHold whether a file of that size is to be held in memory */
export function readOwnFile(file: string, isToHold: (sizeBytes: number) => boolean): OwnContent {
  const sizeBytes = statSync(file).size
  return isToHold(sizeBytes) ? readFileSync(file) : { kind: 'own', file, sizeBytes }
}

/**
 * Writes content to a new file, mode 0600.
 *
 * @param from where bytes that are held were read: the new file shares its blocks where it still has them
 * @throws EAGAIN when a file of the tree that is not held is no longer what was read
 */
export function writeContent(to: string | Buffer, content: Content, from?: ReadFrom): void {
  if (isHeld(content)) {
    if (from !== undefined && content.length >= CLONED_BYTES && cloneFrom(from, to)) return
    writeFileSync(to, content, { flag: 'wx', mode: 0o600 })
    return
  }
  if (content.kind === 'own') {
    copyFileSync(content.file, to, constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE)
    return
  }
  const { file } = native().openFileAt(content.root, content.path)
  closing(file, () => {
    try {
      const sha256 = cloneTo(file, to) ? sha256OfOwn(to) : copyPieces(file, to)
      if (sha256 !== content.sha256) throw changedMeanwhile(content.path)
    } catch (error) {
      if (!hasErrno(error, 'EEXIST')) rmSync(to, { force: true })
      throw error
    }
  })
}

/** @returns the digest of what was copied */
function copyPieces(from: number, to: string | Buffer): Sha256 {
  const copy = openSync(to, 'wx', 0o600)
  return closing(copy, () => {
    const hash = newHash('sha256')
    for (const piece of piecesOf(from)) {
      hash.update(piece)
      for (let at = 0; at < piece.length;) at += writeSync(copy, piece, at)
    }
    return asSha256(hash.digest('hex'))
  })
}

/** Shares the file's blocks where the file system can. @returns false when there is no such copy */
function cloneTo(from: number, to: string | Buffer): boolean {
  const flags = constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE_FORCE
  try {
    copyFileSync(`/proc/self/fd/${String(from)}`, to, flags)
  } catch (error) {
    if (isSystemError(error)) return false
    throw error
  }
  chmodSync(to, 0o600)
  return true
}

/** @returns false, and leaves nothing, when the file is no longer what was read, or its blocks cannot be shared */
function cloneFrom(from: ReadFrom, to: string | Buffer): boolean {
  try {
    const { file, row } = native().openFileAt(from.root, from.path)
    if (!closing(file, () => cloneTo(file, to))) return false
    const now = native().statRow(from.root, from.path).row
    // A row that is young may hide another write.
    if (isSameStat(from.row, row) && isSameStat(from.row, now) && !isYoungRow(now)) return true
  } catch (error) {
    if (!isSystemError(error)) throw error
  }
  rmSync(to, { force: true })
  return false
}

function readOwn(path: string | Buffer, take: (piece: Buffer) => unknown): void {
  withOwn(path, (file) => {
    for (const piece of piecesOf(file)) take(piece)
  })
}

function withOwn<Result>(path: string | Buffer, use: (file: number) => Result): Result {
  const file = openSync(path, constants.O_RDONLY | constants.O_NOFOLLOW)
  return closing(file, () => use(file))
}

function closing<Result>(file: number, use: () => Result): Result {
  try {
    return use()
  } finally {
    closeSync(file)
  }
}
