/** Whether somebody else's git is in the middle of something: its lock files tell, and so does what moves. */

import { readdirSync, statSync, type Dirent } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deadline } from '../core/deadline.ts'
import { isMissing } from '../core/errors.ts'
import { asRepoPath } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import { elapsedMs } from '../native/clock.ts'
import { isYoungRow } from '../native/types.ts'
import type { NowContent } from './compare.ts'
import { readOperation } from './operation.ts'
import { readHead, type GitDirs } from './refs.ts'

const WAIT_MS = 1_000
const POLL_MS = 20
const SETTLE_MS = 25

export interface HeldLockFile {
  readonly file: string
  readonly ageMs: number
}

/**
 * Waits for git to finish, up to a second inside the deadline.
 *
 * @returns the lock file that stays; undefined when nothing is held
 */
export async function waitForGit(dirs: GitDirs, deadline: Deadline): Promise<HeldLockFile | undefined> {
  const giveUpAtMs = elapsedMs() + Math.min(WAIT_MS, deadline.remaining() / 2)
  for (;;) {
    const file = findLock(dirs)
    if (file === undefined) return undefined
    if (elapsedMs() >= giveUpAtMs) return { file, ageMs: ageOf(file) }
    await sleep(POLL_MS)
  }
}

/**
 * Where git stands: equal texts at two moments mean that HEAD and the open operation have not moved between them. The index
 * does not count: its own protocol finds out when somebody else writes it.
 */
export function gitState({ gitDir, commonDir }: GitDirs): string {
  const head = readHead({ gitDir, commonDir })
  const steps = statSync(path.join(gitDir, 'rebase-merge', 'done'), { bigint: true, throwIfNoEntry: false })
  return JSON.stringify([
    head.kind === 'commit' ? [head.oid, head.ref] : head.kind,
    steps === undefined ? '' : `${String(steps.ino)} ${String(steps.mtimeNs)} ${String(steps.size)}`,
    readOperation(gitDir),
  ])
}

/**
 * Whether git went on since it stood at `state`.
 *
 * @param wrote what it would have written to the work tree before it does
 */
export async function wentOn(dirs: GitDirs, state: string, wrote: readonly NowContent[]): Promise<boolean> {
  // A step of a rebase without any lock takes less than this, and comes after its last write.
  if (!hasStood(dirs, wrote)) await sleep(SETTLE_MS)
  return gitState(dirs) !== state
}

/** Whether these contents and the index have been as they are for a while; nothing tells when a file was removed. */
function hasStood({ gitDir }: GitDirs, contents: readonly NowContent[]): boolean {
  const rows = contents.map((content) =>
    content.kind === 'file' || content.kind === 'link' ? content.row : undefined,
  )
  const index = native().statRow(gitDir, asRepoPath('index'))
  if (rows.length === 0 || index.kind !== 'file') return false
  return [index.row, ...rows].every((row) => row !== undefined && !isYoungRow(row))
}

function findLock({ gitDir, commonDir }: GitDirs): string | undefined {
  const named = [
    path.join(gitDir, 'index.lock'),
    path.join(gitDir, 'HEAD.lock'),
    path.join(commonDir, 'packed-refs.lock'),
  ]
  return (
    named.find((file) => statSync(file, { throwIfNoEntry: false }) !== undefined) ??
    lockBelow(path.join(commonDir, 'refs'))
  )
}

function lockBelow(folder: string): string | undefined {
  for (const entry of entriesOf(folder)) {
    const file = path.join(folder, entry.name)
    if (entry.isFile() && entry.name.endsWith('.lock')) return file
    const below = entry.isDirectory() ? lockBelow(file) : undefined
    if (below !== undefined) return below
  }
  return undefined
}

function entriesOf(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

const ageOf = (file: string): number =>
  Math.max(0, Date.now() - (statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()))
