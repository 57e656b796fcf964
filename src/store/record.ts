import { readdirSync } from 'node:fs'
import path from 'node:path'
import type { Deadline } from '../core/deadline.ts'
import { GateError, isMissing } from '../core/errors.ts'
import { toSessionId, type SessionId } from '../core/ids.ts'
import { RECORD_VERSION, type SessionRecord } from '../core/record.ts'
import { readRegularFile } from '../native/regular-file.ts'
import { writeAtomic } from './atomic.ts'
import { sessionDirOf, type StatePaths } from './paths.ts'
import { lockSession } from './session-lock.ts'

const FILE = 'record.json'

/**
 * Reads a session's record.
 *
 * @returns undefined when there is none, or when another version wrote it: then everything is pinned anew
 * @throws GateError GATE_STATE when it is no record
 */
export function readRecord(paths: StatePaths, session: SessionId): SessionRecord | undefined {
  const file = path.join(sessionDirOf(paths, session), FILE)
  const bytes = readState(file)
  if (bytes === undefined) return undefined
  const value = parseState(file, bytes) as Partial<SessionRecord>
  if (value.version !== RECORD_VERSION) return undefined
  if (typeof value.gates !== 'object' || value.session !== session)
    throw new GateError('GATE_STATE', `this is not the record of session ${session}: ${file}`)
  return value as SessionRecord
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
    const after = { ...change(before), updated_at: now.toISOString() }
    lock.checkStillHeld()
    writeState(path.join(directory, FILE), `${JSON.stringify(after, undefined, 1)}\n`)
    return after
  } finally {
    lock.release()
  }
}

/** Ids of the sessions that have a directory, in no order. */
export function listSessions(paths: StatePaths): SessionId[] {
  try {
    return readdirSync(paths.sessions).flatMap((name) => toSessionId(name) ?? [])
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

const emptyRecord = (session: SessionId, now: Date): SessionRecord => ({
  version: RECORD_VERSION,
  session,
  updated_at: now.toISOString(),
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

/** @throws GateError GATE_STATE when the file is there and cannot be read */
export function readState(file: string): Buffer | undefined {
  try {
    return readRegularFile(file)
  } catch (cause) {
    throw new GateError('GATE_STATE', `cannot read ${file}`, { cause })
  }
}

/** @throws GateError GATE_STATE when the file cannot be written; the old one stays */
export function writeState(file: string, content: string | Buffer): void {
  try {
    writeAtomic(file, content)
  } catch (cause) {
    throw new GateError('GATE_STATE', `cannot write ${file}`, { cause })
  }
}

/** @throws GateError GATE_STATE when the bytes are not a JSON object */
export function parseState(file: string, bytes: Buffer): object {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (typeof value === 'object' && value !== null) return value
  } catch (cause) {
    throw new GateError('GATE_STATE', `this file is not JSON: ${file}`, { cause })
  }
  throw new GateError('GATE_STATE', `this file is not a JSON object: ${file}`)
}
