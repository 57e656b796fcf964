import type { Oid, RepoPath, Sha256 } from './ids.ts'

/** What a file holds: its bytes or, when these are too many to be held in memory, a file that has them. */
export type Content = Buffer | TreeFile | OwnFile

/** Content that no work tree is needed for. */
export type OwnContent = Buffer | OwnFile

/** Where content was read, and the stat row of the file that had it. */
export interface ReadFrom {
  readonly root: string
  readonly path: RepoPath
  readonly row: Buffer
}

/** A large file of a work tree, as it was read once. */
export interface TreeFile extends ReadFrom {
  readonly kind: 'tree'
  readonly sizeBytes: number
  readonly sha256: Sha256
  /** Id of a blob of just these bytes. */
  readonly rawOid: Oid
}

/** A large file of ours, which nobody writes to. */
export interface OwnFile {
  readonly kind: 'own'
  readonly file: string
  readonly sizeBytes: number
}

export const isHeld = (content: Content): content is Buffer => Buffer.isBuffer(content)

export const sizeOf = (content: Buffer | { readonly sizeBytes: number }): number =>
  Buffer.isBuffer(content) ? content.length : content.sizeBytes

/** A larger file is not held in memory, and of smaller ones no more than so many bytes together. */
const LARGE_BYTES = 16 * 1024 * 1024
const HELD_BYTES = 256 * 1024 * 1024

/** Says of one content after the other, by its size, whether it is to be held. */
export function startHolding(): (sizeBytes: number) => boolean {
  let heldBytes = 0
  return (sizeBytes) => {
    if (sizeBytes > LARGE_BYTES || heldBytes + sizeBytes > HELD_BYTES) return false
    heldBytes += sizeBytes
    return true
  }
}
