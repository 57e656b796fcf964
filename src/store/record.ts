import { existsSync } from 'node:fs'
import path from 'node:path'
import { isoTime } from '../core/iso-time.ts'
import type { Deadline } from '../core/deadline.ts'
import { GateError } from '../core/errors.ts'
import { toSessionId, type SessionId } from '../core/ids.ts'
import { RECORD_VERSION, type SessionRecord } from '../core/record.ts'
import { namesIn } from './folder.ts'
import { RECORD_FILE, recordPathOf, sessionDirOf, type StatePaths } from './paths.ts'
import { readSealed, writeSealed } from './sealed.ts'
import { lockSession } from './session-lock.ts'

/**
 * Reads a session's record.
 *
 * @returns undefined when there is none, or when another version wrote it: then everything is pinned anew
 * @throws GateError GATE_STATE when it is no record, or not as it was written
 */
export function readRecord(paths: StatePaths, session: SessionId): SessionRecord | undefined {
  const file = recordPathOf(paths, session)
  const record = readSealed(file, ({ version }) => version === RECORD_VERSION) as SessionRecord | undefined
  if (record === undefined || record.session === session) return record
  throw new GateError('GATE_STATE', `this is not the record of session ${session}: ${file}`)
}

/**
 * Changes a session's record under its lock; creates session directory and record when they are missing.
 *
 * @returns the record as written
 * @throws GateError GATE_STATE, GATE_LOCKED; the record is then as it was
 */
export async function updateRecord(
  { paths, session, now, deadline }: { paths: StatePaths; session: SessionId; now: Date; deadline: Deadline },
  change: (record: SessionRecord) => SessionRecord,
): Promise<SessionRecord> {
  const directory = sessionDirOf(paths, session)
  const lock = await lockStateDir(directory, deadline)
  try {
    const before = readRecord(paths, session) ?? emptyRecord(session, now)
    const after = { ...change(before), updated_at: isoTime(now) }
    lock.checkStillHeld()
    writeSealed(recordPathOf(paths, session), after)
    return after
  } finally {
    lock.release()
  }
}

/** Whether a record is there, of whatever version. */
export const hasRecordFile = (sessionDir: string): boolean => existsSync(path.join(sessionDir, RECORD_FILE))

/** Ids of the sessions that have a directory, in no order. */
export const listSessions = (paths: StatePaths): SessionId[] =>
  namesIn(paths.sessions).flatMap((name) => toSessionId(name) ?? [])

const emptyRecord = (session: SessionId, now: Date): SessionRecord => ({
  version: RECORD_VERSION,
  session,
  updated_at: isoTime(now),
  gates: {},
})

async function lockStateDir(directory: string, deadline: Deadline): ReturnType<typeof lockSession> {
  try {
    return await lockSession(directory, deadline)
  } catch (cause) {
    throw cause instanceof GateError
      ? cause
      : new GateError('GATE_STATE', `cannot use the session directory ${directory}`, { cause })
  }
}
