/** What the /investigate gate writes into the session's record, one function per event. */

import { isoTime } from '../../core/iso-time.ts'
import {
  gateOf,
  heldRun,
  isOpen,
  lastRun,
  replaceLastRun,
  withError,
  withGate,
  type GateRecord,
  type RunRecord,
  type SessionRecord,
} from '../../core/record.ts'
import { updateRecord } from '../../store/record.ts'
import type { HookCall } from '../call.ts'
import { failureOf, type Blocked } from './blocked.ts'

const SKILL = 'investigate'

const change = async (
  call: HookCall,
  edit: (gate: GateRecord, record: SessionRecord) => SessionRecord,
): Promise<SessionRecord> =>
  await updateRecord(
    { paths: call.paths, session: call.payload.session, now: call.now(), deadline: call.deadline },
    (record) => edit(gateOf(record, call.hook), record),
  )

export async function noteAnnouncedLoad(call: HookCall, callId: string): Promise<void> {
  await change(call, (gate, record) =>
    withGate(record, call.hook, { ...gate, announced: [...(gate.announced ?? []).slice(-9), callId] }),
  )
}

/** @returns how often arming for this load has run out of time */
export async function noteArmingAttempt(call: HookCall, load: string): Promise<number> {
  const record = await change(call, (gate, before) =>
    gate.arming?.load === load
      ? before
      : withGate(before, call.hook, { ...gate, arming: { load, timeouts: 0 } }),
  )
  return gateOf(record, call.hook).arming?.timeouts ?? 0
}

/** The client that the next checks run under. */
export async function noteRestart(call: HookCall): Promise<void> {
  await change(call, (gate, record) => {
    const run = lastRun(gate, SKILL)
    const counted =
      run === undefined
        ? record
        : withGate(record, call.hook, replaceLastRun(gate, { ...run, observed: run.observed + 1 }))
    return { ...counted, ...clientOf(call) }
  })
}

const clientOf = ({ env, payload }: HookCall): Pick<SessionRecord, 'client_pid' | 'transcript'> => ({
  transcript: payload.transcriptPath,
  ...(env['CLAUDE_PID'] === undefined ? {} : { client_pid: env['CLAUDE_PID'] }),
})

/** A new run, or one more load of the run that is held. */
export async function noteArmed(call: HookCall, loadKey: string): Promise<RunRecord> {
  let armed: RunRecord = {
    skill: SKILL,
    loads: [loadKey],
    fired_at: isoTime(call.now()),
    blocked: 0,
    observed: 0,
  }
  await change(call, (gate, record) => {
    const held = heldRun(gate, SKILL)
    if (held !== undefined) armed = { ...held, loads: [...held.loads, loadKey] }
    const next = held === undefined ? { ...gate, runs: [...gate.runs, armed] } : replaceLastRun(gate, armed)
    return { ...withGate(record, call.hook, next), ...clientOf(call) }
  })
  return armed
}

/** @returns the run, or undefined when somebody else has released it already */
export async function noteReleased(call: HookCall, cause: string): Promise<RunRecord | undefined> {
  let released: RunRecord | undefined
  await change(call, (gate, record) => {
    const run = lastRun(gate, SKILL)
    if (run === undefined || !isOpen(run)) return record
    released = { ...run, released_at: isoTime(call.now()), cause }
    return withGate(record, call.hook, replaceLastRun(gate, released))
  })
  return released
}

/** @returns whether this reason is news in the session */
export async function noteSkipped(call: HookCall, reason: string): Promise<boolean> {
  let isNews = false
  await change(call, (gate, record) => {
    isNews = !gate.skipped.some((known) => known.reason === reason)
    if (!isNews) return record
    return withGate(record, call.hook, {
      ...gate,
      skipped: [...gate.skipped, { at: isoTime(call.now()), reason }],
    })
  })
  return isNews
}

/** Counts what a check found; the record is written only when there is something to count. */
export async function noteCheck(call: HookCall, blocked: Blocked): Promise<RunRecord> {
  const files = blocked.trees.flatMap((tree) => tree.files)
  const remarks = blocked.trees.flatMap((tree) => tree.remarks)
  const observed = blocked.trees.reduce((sum, tree) => sum + tree.observed, 0)
  const isBlock = files.length > 0 || remarks.length > 0 || blocked.denied !== undefined
  const isStop = call.payload.tool === undefined
  const stops = isStop && isBlock ? (blocked.run.stops_in_row ?? 0) + 1 : 0
  const isQuiet =
    !isBlock &&
    observed === 0 &&
    blocked.joined.length === 0 &&
    stops === (blocked.run.stops_in_row ?? 0) &&
    blocked.run.is_late !== true
  if (isQuiet) return blocked.run

  let noted = blocked.run
  await change(call, (gate, record) => {
    const run = lastRun(gate, SKILL) ?? blocked.run
    noted = {
      ...run,
      blocked: run.blocked + (isBlock ? 1 : 0),
      observed: run.observed + observed + blocked.joined.length,
      stops_in_row: stops,
      is_late: false,
    }
    const counted = withGate(record, call.hook, replaceLastRun(gate, noted))
    const failure = failureOf(blocked)
    const isUnfinished = blocked.trees.some(({ heldLock }) => heldLock !== undefined)
    return failure === undefined
      ? counted
      : withError(counted, call.hook, {
          code: 'GATE_RESTORE_FAILED',
          why: failure,
          at: call.now(),
          unchecked: isUnfinished ? 1 : 0,
        })
  })
  return noted
}
