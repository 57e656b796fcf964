/** Puts work-tree content and index entries back. What was there is kept first; nothing is written through a link. */

import {
  accessSync,
  chmodSync,
  constants,
  readFileSync,
  statSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { IndexEntry } from '../core/baseline.ts'
import { isHeld, type OwnContent } from '../core/content.ts'
import { hasErrno, isMissing, messageOf } from '../core/errors.ts'
import type { Oid, RepoPath } from '../core/ids.ts'
import { withGit } from './libgit2.ts'
import { native } from '../native/binding.ts'
import type { Displacement, FileId, Kept, NewContent, Replaced, Replacement } from '../native/types.ts'
import type { NowContent, Wanted } from './compare.ts'
import { indexPathOf, wholeIndex } from './index-file.ts'
import { changeEntries, type IndexPlumbing } from './index-plumbing.ts'
import { openOrFail } from './repo.ts'
import { elapsedMs } from '../native/clock.ts'

/** What a path is to hold again. */
export interface WorkOrder {
  readonly path: RepoPath
  readonly wanted: Wanted
  /** Of a wanted file. */
  readonly content: OwnContent | undefined
  /** What was judged; anything else that stands there by now stays and fails the order. */
  readonly now: NowContent
}

export interface RestoreOrder extends WorkOrder {
  readonly root: string
  /** Name beside the target for the new file. */
  readonly tempName: string
  /** Absolute path that the displaced file moves to. */
  readonly keepPath: string
}

export type Restored =
  | {
      readonly kind: 'restored'
      /** Whether something was displaced to `keepPath`. */
      readonly kept: boolean
      /** Where a displaced link pointed. */
      readonly linkTarget: string | undefined
      /** Row of what stands there now; undefined when that is nothing. */
      readonly row: Buffer | undefined
    }
  | { readonly kind: 'failed'; readonly why: string }

/**
 * Carries out orders; a failure leaves its path as it was and stops none of the others. Removals come first, as a file may
 * stand where a folder has to come back.
 *
 * @returns in their order what became of each; undefined for what was not begun within `budgetMs`
 */
export function restorePaths(
  orders: readonly RestoreOrder[],
  budgetMs: number,
): readonly (Restored | undefined)[] {
  const endMs = elapsedMs() + budgetMs
  const done = new Map<RestoreOrder, Restored>()
  const replaced: RestoreOrder[] = []
  for (const order of orders) {
    const obstacle = obstacleOf(order)
    if (obstacle !== undefined) done.set(order, { kind: 'failed', why: obstacle })
    else if (order.wanted.kind !== 'absent') replaced.push(order)
    else if (elapsedMs() < endMs) done.set(order, remove(order))
  }
  const left = Math.ceil(Math.max(0, endMs - elapsedMs()))
  const results = native().replaceAll(replaced.map(replacementOf), left)
  for (const [index, order] of replaced.entries()) {
    const result = results[index]
    if (result !== undefined) done.set(order, restoredBy(result))
  }
  return orders.map((order) => done.get(order))
}

function remove(order: RestoreOrder): Restored {
  try {
    return restoredBy(native().removeAt(displacementOf(order)))
  } catch (error) {
    return { kind: 'failed', why: reasonOf(error) }
  }
}

const displacementOf = ({ root, path: name, tempName, keepPath, now }: RestoreOrder): Displacement => ({
  root,
  path: name,
  tempName,
  keepPath,
  ...(now.kind === 'odd' ? {} : { expect: now.row }),
})

const replacementOf = (order: RestoreOrder): Replacement => ({
  ...displacementOf(order),
  content:
    order.wanted.kind === 'link'
      ? { link: Buffer.from(order.wanted.target, 'latin1') }
      : newContent(order.content ?? Buffer.alloc(0)),
  mode: modeFor(order.wanted, order.now),
  createParents: true,
})

function restoredBy(done: Replaced | Kept | Error): Restored {
  if (done instanceof Error) return { kind: 'failed', why: reasonOf(done) }
  return {
    kind: 'restored',
    kept: done.kept !== undefined,
    linkTarget: done.linkTarget?.toString('latin1'),
    row: 'row' in done ? done.row : undefined,
  }
}

const newContent = (content: OwnContent): NewContent =>
  isHeld(content) ? { bytes: content } : { source: content.file }

/** Why an order cannot be carried out, as far as that shows without trying. */
export function obstacleOf({ now, wanted, content }: WorkOrder): string | undefined {
  if (now.kind === 'odd') return REASON_OF_ODD[now.what]
  if (wanted.kind === 'odd') return 'nothing could be copied there when the gate armed'
  if (wanted.kind !== 'link' && wanted.kind !== 'absent' && content === undefined)
    return 'its content could not be made: a filter driver failed, or the blob is missing'
  return undefined
}

/** Why nothing can be written beside a path, as far as its folder shows. */
export function folderObstacle(root: string, { path: name }: WorkOrder): string | undefined {
  const folder = name.slice(0, Math.max(0, name.lastIndexOf('/')))
  try {
    accessSync(Buffer.concat([Buffer.from(`${root}/`), Buffer.from(folder, 'latin1')]), constants.W_OK)
    return undefined
  } catch (error) {
    // A missing folder is made.
    return isMissing(error) ? undefined : reasonOf(error)
  }
}

/** A file clean at the baseline keeps its current permissions, a dirty one gets its own back. */
function modeFor(wanted: Wanted, now: NowContent): number | 'file' | 'executable' {
  if (wanted.kind === 'file') return wanted.mode
  if (now.kind === 'file') return now.mode
  return wanted.kind === 'entry' && wanted.mode === 0o100755 ? 'executable' : 'file'
}

const REASON_OF_ODD = {
  directory: 'it is a directory now',
  other: 'it is neither a file nor a link now',
  unreachable: 'a parent is a link or no directory now',
  unreadable: 'it may not be read now',
} as const

const REASONS: Readonly<Record<string, string>> = {
  ESTALE: 'it changed again meanwhile',
  ENOTDIR: 'a parent is a link or no directory now',
  ELOOP: 'a parent is a link now',
  EISDIR: 'it is a directory now',
  ENOTREG: 'it is neither a file nor a link now',
  EACCES: 'its directory cannot be written',
  EROFS: 'the file system is read-only',
  EPERM: 'it is protected against changes',
  ENOSPC: 'the disk is full',
  EDQUOT: 'the quota is used up',
}

function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : ''
  return REASONS[code] ?? messageOf(error)
}

/** Writes blobs again that entries are about to name and that the database has lost. */
export async function recreateBlobs(
  gitDir: string,
  entries: readonly IndexEntry[],
  contentOf: (oid: Oid) => OwnContent | undefined,
): Promise<void> {
  const lost = withGit(gitDir, (git) => entries.filter(({ oid }) => !native().objectInfo(git, oid).exists))
  if (lost.length === 0) return
  const repo = openOrFail(gitDir)
  for (const { oid } of lost) {
    const content = contentOf(oid)
    if (content !== undefined) await repo.writeBlob(isHeld(content) ? content : readFileSync(content.file))
  }
}

export type IndexWritten =
  | { readonly kind: 'written'; readonly index: Buffer }
  | { readonly kind: 'held' }
  /** Somebody else wrote the index since it was read. */
  | { readonly kind: 'moved' }

/** How long another holder of `index.lock` is waited for. */
const LOCK_WAIT_MS = 1_000
const LOCK_POLL_MS = 20

interface EntryChange extends IndexPlumbing {
  readonly gitDir: string
  /** Every entry that was there, as the change was judged against it. */
  readonly index: Buffer
  /** What the index file held; undefined when there was none. */
  readonly storedIndex: Buffer | undefined
  readonly set: readonly IndexEntry[]
  readonly remove: readonly RepoPath[]
  readonly tempName: string
}

/**
 * Writes index entries by git's own lock protocol.
 *
 * @param order.noteLock told the identity of the lock file before it exists, so that a later pass can remove it
 */
export async function writeEntries(
  order: EntryChange & { readonly noteLock: (lock: FileId) => void },
): Promise<IndexWritten> {
  const indexPath = indexPathOf(order.gitDir)
  const tempPath = path.join(order.gitDir, order.tempName)
  order.noteLock(await prepareIndex(order, { indexPath, tempPath }))
  const index = await wholeIndex(order.gitDir, readFileSync(tempPath), order)
  const giveUpAtMs = elapsedMs() + Math.min(LOCK_WAIT_MS, order.deadline.remaining() / 2)
  for (;;) {
    const outcome = native().commitIndex({ indexPath, tempPath, index: order.storedIndex })
    if (outcome === 'written') return { kind: 'written', index }
    if (outcome === 'moved') return { kind: 'moved' }
    if (elapsedMs() >= giveUpAtMs) {
      removeTemporary(tempPath)
      return { kind: 'held' }
    }
    await sleep(LOCK_POLL_MS)
  }
}

/** The new index in a file of its own, which is to become the lock; git makes a split or sparse one. */
async function prepareIndex(
  order: EntryChange,
  { indexPath, tempPath }: { indexPath: string; tempPath: string },
): Promise<FileId> {
  const { gitDir, index, storedIndex: stored, set, remove } = order
  if (stored === undefined || stored.equals(index))
    return native().prepareIndex({ indexPath, tempPath, index: stored, set, remove })
  const bytes = await changeEntries(gitDir, { stored, set, remove }, order)
  const { mode, mtimeMs } = statSync(indexPath)
  writeFileSync(tempPath, bytes, { mode: 0o600, flag: 'wx' })
  chmodSync(tempPath, mode & 0o7777)
  // Not younger than the old index, under which git would not have trusted the racy entries; see `changeEntries`.
  const notYounger = Math.floor(mtimeMs) / 1_000
  utimesSync(tempPath, notYounger, notYounger)
  const { ino, dev } = statSync(tempPath, { bigint: true })
  return { ino: String(ino), dev: String(dev) }
}

function removeTemporary(file: string): void {
  try {
    unlinkSync(file)
  } catch (error) {
    if (!hasErrno(error, 'ENOENT')) throw error
  }
}
