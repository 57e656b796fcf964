/** Sessions as commands name and find them. */

import { existsSync } from 'node:fs'
import { GateError } from '../core/errors.ts'
import { toSessionId, type SessionId } from '../core/ids.ts'
import { gateOf, heldRun, isHeld, type SessionRecord } from '../core/record.ts'
import { listPinnedRoots } from '../store/baseline-file.ts'
import { sessionDirOf, type StatePaths } from '../store/paths.ts'
import { listSessions, readRecord } from '../store/record.ts'

/** @throws GateError SKILL_GATES_USAGE when it is no session id, or nothing is kept of such a session */
export function namedSession(paths: StatePaths, named: string): SessionId {
  const session = toSessionId(named)
  if (session === undefined) throw new GateError('SKILL_GATES_USAGE', `this is no session id: ${named}`)
  if (!existsSync(sessionDirOf(paths, session)))
    throw new GateError('SKILL_GATES_USAGE', `nothing is kept of a session ${named} in ${paths.sessions}`)
  return session
}

/** The named session, or all that have a directory, sorted. */
export const sessionsOf = (paths: StatePaths, named: string | boolean | undefined): readonly SessionId[] =>
  typeof named === 'string' ? [namedSession(paths, named)] : listSessions(paths).sort()

/** When the /investigate gate of a session that it holds now was armed, in ISO 8601; undefined when it holds none. */
export const armedAt = (record: SessionRecord | undefined): string | undefined =>
  record === undefined ? undefined : heldRun(gateOf(record, 'investigate-gate'), 'investigate')?.fired_at

/** Sessions whose /investigate gate holds a work tree now, each with when it was armed. */
export const armedOn = (
  paths: StatePaths,
  root: string,
): { readonly session: SessionId; readonly at: string }[] =>
  listSessions(paths).flatMap((session) => {
    const at = armedAt(readableRecord(paths, session))
    const isHere = listPinnedRoots(sessionDirOf(paths, session)).some((baseline) => baseline.root === root)
    return at !== undefined && isHere ? [{ session, at }] : []
  })

/** A record that cannot be read arms nothing. */
export function readableRecord(paths: StatePaths, session: SessionId): SessionRecord | undefined {
  try {
    return readRecord(paths, session)
  } catch (error) {
    if (error instanceof GateError) return undefined
    throw error
  }
}

/** Whether any gate holds a run of the session. */
export const isArmed = (record: SessionRecord | undefined): boolean =>
  Object.values(record?.gates ?? {}).some(({ runs }) => runs.some(isHeld))
