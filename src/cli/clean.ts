/** `gstack-skill-gates clean`: gets rid of kept copies and of sessions that are over, since they may hold secrets. */

import { startDeadline } from '../core/deadline.ts'
import { GateError } from '../core/errors.ts'
import type { SessionId } from '../core/ids.ts'
import { wasRestarted } from '../policy/investigate/restart.ts'
import { listPinnedRoots } from '../store/baseline-file.ts'
import { hasLivePass } from '../store/in-flight.ts'
import { keptFiles, listKept, removeKept, type KeptCopy } from '../store/kept.ts'
import { sessionDirOf, statePathsFrom, type StatePaths } from '../store/paths.ts'
import { withTreeLocks } from '../store/session-lock.ts'
import { lastTouchedMs, noteSwept, removeSession } from '../store/sweep.ts'
import type { CommandCall } from './command.ts'
import { bytesOf } from './copies/size.ts'
import { isArmed, readableRecord, sessionsOf } from './sessions.ts'
import { settleKills } from './report/kills.ts'
import { elapsedMs } from '../native/clock.ts'

const DAY_MS = 24 * 60 * 60 * 1000
const WAIT_MS = 5_000

type Cleaned =
  | { readonly kind: 'removed'; readonly wasArmed: boolean; readonly bytes: number }
  | { readonly kind: 'copies'; readonly isArmed: boolean; readonly copies: number; readonly bytes: number }
  | { readonly kind: 'busy' }

/** @throws GateError GATE_LOCKED when the named session has a hook at work */
export async function clean({ context, options }: CommandCall): Promise<number> {
  const { session: named, olderThan } = options
  if ((typeof named === 'string') === (typeof olderThan === 'string'))
    throw new GateError(
      'SKILL_GATES_USAGE',
      'say what to clean: --session ID, or --older-than DAYS (0: everything)',
    )
  const paths = statePathsFrom(context.env, context.home)
  const days = typeof olderThan === 'string' ? daysOf(olderThan) : undefined
  const sessions = sessionsOf(paths, named)
  await settleKills(paths, [], context)

  let freed = 0
  let isBusy = false
  for (const session of sessions) {
    const cleaned =
      days === undefined
        ? await cleanNamed(paths, session)
        : await cleanOlder(paths, session, Date.now() - days * DAY_MS)
    if (cleaned === undefined) continue
    isBusy ||= cleaned.kind === 'busy'
    if (cleaned.kind !== 'busy') freed += cleaned.bytes
    context.stdout(`session ${session}: ${textOf(cleaned)}\n`)
  }
  context.stdout(`freed ${String(freed)} bytes\n`)
  if (isBusy) throw new GateError('GATE_LOCKED', 'a hook was at work; what it used was left')
  return 0
}

function daysOf(text: string): number {
  if (/^\d{1,6}$/.test(text)) return Number(text)
  throw new GateError('SKILL_GATES_USAGE', `--older-than takes a number of days, not ${text}`)
}

/** Everything of a session that is over; of an armed one its kept copies. */
async function cleanNamed(paths: StatePaths, session: SessionId): Promise<Cleaned> {
  if (isArmed(readableRecord(paths, session))) return await removeCopies(paths, session, () => true)
  return removeWhole(paths, session, { wasArmed: false })
}

/** @returns undefined when nothing is that old */
async function cleanOlder(
  paths: StatePaths,
  session: SessionId,
  cutoffMs: number,
): Promise<Cleaned | undefined> {
  const sessionDir = sessionDirOf(paths, session)
  const touchedMs = lastTouchedMs(sessionDir)
  const armed = isArmed(readableRecord(paths, session))
  // The next call of a session that was left for so long pins anew: no check needs its baseline.
  const isLeft = wasRestarted({ pinnedPid: undefined, pid: undefined }, Date.now() - touchedMs)
  if (touchedMs <= cutoffMs && (!armed || isLeft)) return removeWhole(paths, session, { wasArmed: armed })
  const isOld = ({ at }: KeptCopy): boolean => Date.parse(at) <= cutoffMs
  return listKept(sessionDir).some(isOld) ? await removeCopies(paths, session, isOld) : undefined
}

function removeWhole(paths: StatePaths, session: SessionId, { wasArmed }: { wasArmed: boolean }): Cleaned {
  const sessionDir = sessionDirOf(paths, session)
  const bytes = bytesOf([sessionDir])
  if (hasLivePass(paths, session) || !removeSession(sessionDir)) return { kind: 'busy' }
  noteSwept(paths, [session], new Date())
  return { kind: 'removed', wasArmed, bytes }
}

/** Checks add copies under the locks of their trees. */
async function removeCopies(
  paths: StatePaths,
  session: SessionId,
  isGone: (copy: KeptCopy) => boolean,
): Promise<Cleaned> {
  const sessionDir = sessionDirOf(paths, session)
  const deadline = startDeadline(WAIT_MS, elapsedMs)
  return await withTreeLocks(listPinnedRoots(sessionDir), deadline, async () => {
    const gone = listKept(sessionDir).filter(isGone)
    const bytes = bytesOf(gone.flatMap(({ name }) => keptFiles(sessionDir, name)))
    removeKept(sessionDir, gone)
    return await Promise.resolve({
      kind: 'copies',
      isArmed: isArmed(readableRecord(paths, session)),
      copies: gone.length,
      bytes,
    })
  })
}

function textOf(cleaned: Cleaned): string {
  switch (cleaned.kind) {
    case 'busy':
      return 'left, a hook is at work'
    case 'removed':
      return `removed, ${String(cleaned.bytes)} bytes${cleaned.wasArmed ? '; it was still armed, and left for over 12 hours' : ''}`
    case 'copies': {
      const removed = `${String(cleaned.copies)} kept copies removed, ${String(cleaned.bytes)} bytes`
      return cleaned.isArmed
        ? `${removed}; it is armed, so its baseline and what it would put back stay until it is released`
        : removed
    }
  }
}
