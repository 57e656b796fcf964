/** Kept copies as a person wants to see them: what the session had written, against what was put back. */

import { lstatSync } from 'node:fs'
import { isHeld, type OwnContent } from '../../core/content.ts'
import { GateError, isMissing, isSystemError, messageOf } from '../../core/errors.ts'
import { showPath } from '../../core/ids.ts'
import { withGit } from '../../git/libgit2.ts'
import { native } from '../../native/binding.ts'
import { readRegularFile } from '../../native/regular-file.ts'
import { readRawCopy } from '../../store/raw-copies.ts'
import { keptPath, listKept, type KeptCopy, type KeptOriginal } from '../../store/kept.ts'
import { decodeText, unifiedDiff } from '../text-diff.ts'

/** Larger files are named and not compared. */
const MOST_BYTES = 256 * 1024

export interface KeptFile {
  readonly at: string
  /** As shown to people. */
  readonly path: string
  readonly root: string
  /** Absolute path of the copy. */
  readonly copy: string
  readonly difference: Difference
}

export type Difference =
  /** Lines of a unified diff without its head: `-` is what was put back, `+` what the session had written. */
  | { readonly kind: 'lines'; readonly lines: readonly string[] }
  | { readonly kind: 'none'; readonly why: string }

/** Oldest first. */
export function readKeptFiles(sessionDir: string): readonly KeptFile[] {
  return listKept(sessionDir).map((copy) => ({
    at: copy.at,
    path: showPath(copy.path),
    root: copy.root,
    copy: keptPath(sessionDir, copy.name),
    difference: compare(sessionDir, copy),
  }))
}

function compare(sessionDir: string, { name, path, why, linkTarget, original }: KeptCopy): Difference {
  if (linkTarget !== undefined) return none(`a link to ${linkTarget} stood here`)
  if (why === 'adopted') return none('left by a hook that was killed while it put the file back')
  if (original === undefined) return none('what was put back is no file')

  const kept = readSmall(keptPath(sessionDir, name))
  if (typeof kept === 'string') return none(kept)
  const before = readOriginal(sessionDir, original)
  if (typeof before === 'string') return none(before)
  const [old, fresh] = [textOf(before), textOf(kept)]
  if (old === undefined || fresh === undefined) return none('it is no text')
  const lines = unifiedDiff(old, fresh, showPath(path)).split('\n').slice(2, -1)
  return lines.length > 0 ? { kind: 'lines', lines } : none('only line endings differ')
}

const none = (why: string): Difference => ({ kind: 'none', why })

/** @returns a text that says why there are no bytes */
function readSmall(file: string): Buffer | string {
  try {
    const { size } = lstatSync(file)
    return size > MOST_BYTES ? 'it is too large to compare' : (readRegularFile(file) ?? 'the copy is gone')
  } catch (error) {
    if (isMissing(error)) return 'the copy is gone'
    throw error
  }
}

function readOriginal(sessionDir: string, original: KeptOriginal): Buffer | string {
  if (original.kind === 'nothing') return Buffer.alloc(0)
  try {
    const content: OwnContent | undefined =
      original.kind === 'copy' ? readRawCopy(sessionDir, original.sha256) : readBlob(original)
    if (content === undefined) return 'the repository no longer has what was put back'
    return isHeld(content) && content.length <= MOST_BYTES ? content : 'it is too large to compare'
  } catch (error) {
    if (!(error instanceof GateError) && !isSystemError(error)) throw error
    return `what was put back cannot be read: ${messageOf(error)}`
  }
}

const readBlob = ({ gitDir, oid }: Extract<KeptOriginal, { kind: 'blob' }>): Buffer | undefined =>
  withGit(gitDir, (git) => native().readBlob(git, oid))

/** Line endings are left out: a stored blob has those of before the checkout. */
function textOf(bytes: Buffer): string | undefined {
  return decodeText(bytes)?.replaceAll('\r\n', '\n')
}
