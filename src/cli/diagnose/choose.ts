/** Which session is diagnosed, and whether a gate holds it at all. */

import type { Baseline } from '../../core/baseline.ts'
import { GateError } from '../../core/errors.ts'
import type { SessionId } from '../../core/ids.ts'
import { gateOf, lastRun, type SessionRecord } from '../../core/record.ts'
import { discoverRepository } from '../../git/discover.ts'
import { wasRestarted } from '../../policy/investigate/restart.ts'
import { lastCheckMs, listPinnedRoots } from '../../store/baseline-file.ts'
import { sessionDirOf, type StatePaths } from '../../store/paths.ts'
import { isProcessGone } from '../../store/process-gone.ts'
import { hasRecordFile, readRecord } from '../../store/record.ts'
import { armedAt, armedOn, namedSession } from '../sessions.ts'

export interface Chosen {
  readonly session: SessionId
  /** Why this one, for the first line. */
  readonly how: string
}

/** @returns a text when there is none to diagnose */
export function chooseSession(paths: StatePaths, named: string | undefined, cwd: string): Chosen | string {
  if (named !== undefined) return { session: namedSession(paths, named), how: 'named by --session' }
  const found = discoverRepository(cwd)
  if (found.kind !== 'tree')
    throw new GateError(
      'SKILL_GATES_USAGE',
      `name a session with --session; this is in no git work tree: ${cwd}`,
    )
  const armed = armedOn(paths, found.root).sort((a, b) => b.at.localeCompare(a.at))
  const [newest, ...others] = armed
  if (newest === undefined) return `no session is armed in ${found.root}`
  const rest =
    others.length === 0 ? '' : `; armed before it: ${others.map(({ session }) => session).join(', ')}`
  return { session: newest.session, how: `the newest armed one of ${found.root}${rest}` }
}

export type Standing =
  | { readonly state: 'armed'; readonly since: string; readonly roots: readonly Baseline[] }
  /** The next check judges nothing. */
  | {
      readonly state: 'restarted' | 'released' | 'off' | 'skipped' | 'not-armed' | 'other-version'
      readonly why: string
    }

/** @throws GateError GATE_STATE */
export function standingOf(paths: StatePaths, session: SessionId, nowMs: number): Standing {
  const sessionDir = sessionDirOf(paths, session)
  const record = readRecord(paths, session)
  if (record === undefined)
    return hasRecordFile(sessionDir)
      ? { state: 'other-version', why: 'another version wrote its record; the next call starts anew' }
      : { state: 'not-armed', why: 'it has no record' }
  const since = armedAt(record)
  if (since === undefined) return unheld(record)
  if (isRestarted(record, sessionDir, nowMs))
    return {
      state: 'restarted',
      why: 'its client is gone or nothing was checked for over 12 hours; the next call pins the trees anew and puts nothing back',
    }
  const roots = listPinnedRoots(sessionDir)
  if (roots.length === 0)
    return {
      state: 'other-version',
      why: 'no tree is pinned, or another version pinned it; the next call pins anew',
    }
  return { state: 'armed', since, roots }
}

function unheld(record: SessionRecord): Standing {
  const gate = gateOf(record, 'investigate-gate')
  const run = lastRun(gate, 'investigate')
  if (run?.released_at !== undefined) {
    const by = run.released_by === 'person' ? ' by a person' : ''
    return { state: 'released', why: `it was released${by} at ${run.released_at}` }
  }
  if (run?.switched_off_at !== undefined)
    return { state: 'off', why: `the switch went off at ${run.switched_off_at}` }
  const reasons = gate.skipped.map(({ reason }) => reason)
  if (reasons.length > 0) return { state: 'skipped', why: `it could not arm: ${reasons.join(', ')}` }
  return { state: 'not-armed', why: 'it never armed the /investigate gate' }
}

/** Another client goes on with a session whose own is gone. */
function isRestarted({ client_pid: pinnedPid }: SessionRecord, sessionDir: string, nowMs: number): boolean {
  const lastMs = lastCheckMs(sessionDir)
  const pid = pinnedPid !== undefined && isProcessGone(Number(pinnedPid)) ? '' : undefined
  return wasRestarted({ pinnedPid, pid }, lastMs === undefined ? undefined : nowMs - lastMs)
}
