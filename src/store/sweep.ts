import { rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { isoTime } from '../core/iso-time.ts'
import type { SessionId } from '../core/ids.ts'
import { readRegularFile } from '../native/regular-file.ts'
import { append } from './in-place.ts'
import { lastCheckMs } from './baseline-file.ts'
import { listKept } from './kept.ts'
import { sessionDirOf, type StatePaths } from './paths.ts'
import { listSessions } from './record.ts'
import { native } from '../native/binding.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const KEEP_DAYS = 7
/** Directories that hold kept copies wait longer for their owner. */
const KEEP_COPIES_DAYS = 30

/**
 * Deletes session directories that nothing has touched for 7 days, or 30 when they hold kept copies. One whose lock is
 * held stays.
 *
 * @returns the sessions that are gone
 */
export function sweepSessions(paths: StatePaths, now: Date): readonly SessionId[] {
  const swept = listSessions(paths).filter((session) => sweepSession(sessionDirOf(paths, session), now))
  noteSwept(paths, swept, now)
  return swept
}

export function noteSwept(paths: StatePaths, sessions: readonly SessionId[], now: Date): void {
  const lines = sessions.map((session) => `${isoTime(now)} ${session}\n`).join('')
  if (lines !== '') append(sweptFile(paths), lines)
}

/** Sessions that were swept, oldest first, each with the time in ISO 8601. */
export function listSwept(paths: StatePaths): readonly { readonly at: string; readonly session: string }[] {
  const text = readRegularFile(sweptFile(paths))?.toString('utf8') ?? ''
  return [...text.matchAll(/^(\S+) (\S+)$/gm)].map(([, at = '', session = '']) => ({ at, session }))
}

const sweptFile = (paths: StatePaths): string => path.join(paths.sessions, '.swept')

function sweepSession(directory: string, now: Date): boolean {
  const idleDays = (now.getTime() - lastTouchedMs(directory)) / DAY_MS
  if (idleDays < KEEP_DAYS) return false
  if (idleDays < KEEP_COPIES_DAYS && listKept(directory).length > 0) return false
  return removeSession(directory)
}

/** Deletes a session's directory. @returns false when a hook holds its lock: nothing was deleted */
export function removeSession(directory: string): boolean {
  const held: number[] = []
  try {
    for (const name of ['arming', 'lock']) {
      const lock = native().lockFile(path.join(directory, name), { create: true })
      if (lock === 'held') return false
      held.push(lock.fd)
    }
    rmSync(directory, { recursive: true, force: true })
    return true
  } finally {
    for (const fd of held) native().unlock(fd)
  }
}

/** By its record or its last check; a directory with neither counts by its own time. */
export function lastTouchedMs(directory: string): number {
  const recordMs = statSync(path.join(directory, 'record.json'), { throwIfNoEntry: false })?.mtimeMs
  const touched = [recordMs, lastCheckMs(directory)].filter((ms) => ms !== undefined)
  return touched.length === 0 ? statSync(directory).mtimeMs : Math.max(...touched)
}
