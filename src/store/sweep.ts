import { rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { isMissing } from '../core/errors.ts'
import type { SessionId } from '../core/ids.ts'
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
  return listSessions(paths).filter((session) => sweepSession(sessionDirOf(paths, session), now))
}

function sweepSession(directory: string, now: Date): boolean {
  const idleDays = (now.getTime() - lastTouchedMs(directory)) / DAY_MS
  if (idleDays < KEEP_DAYS) return false
  if (idleDays < KEEP_COPIES_DAYS && listKept(directory).length > 0) return false
  const lock = native().lockFile(path.join(directory, 'lock'), { create: true })
  if (lock === 'held') return false
  try {
    rmSync(directory, { recursive: true, force: true })
    return true
  } finally {
    native().unlock(lock.fd)
  }
}

/** The record is written anew at each change; a directory without one counts by its own time. */
function lastTouchedMs(directory: string): number {
  try {
    return statSync(path.join(directory, 'record.json')).mtimeMs
  } catch (error) {
    if (isMissing(error)) return statSync(directory).mtimeMs
    throw error
  }
}
