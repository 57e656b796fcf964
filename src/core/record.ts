import { isoTime } from './iso-time.ts'
import type { GateErrorCode } from './errors.ts'
import type { GateHook } from './marker.ts'

export const RECORD_VERSION = 1

/**
 * What a session's calls decided, as `skill-gates/<session>/record.json` holds it. Counts come from here and nowhere
 * else. Times are ISO 8601, UTC.
 */
export interface SessionRecord {
  readonly version: typeof RECORD_VERSION
  readonly session: string
  readonly updated_at: string
  readonly gates: Readonly<Partial<Record<GateHook, GateRecord>>>
  /** `CLAUDE_PID` of the client that the last check ran under. */
  readonly client_pid?: string
  /** Main transcript of the session, in which the client notes hooks that it killed. */
  readonly transcript?: string
}

export interface GateRecord {
  readonly runs: readonly RunRecord[]
  readonly errors: readonly ErrorRecord[]
  readonly skipped: readonly { readonly at: string; readonly reason: string }[]
  /** Ids of Skill calls that were seen before their record was in the transcript. */
  readonly announced?: readonly string[]
  /** How often arming for this load ran out of time. */
  readonly arming?: { readonly load: string; readonly timeouts: number }
  /** Calls and stops that went through without an answer. */
  readonly unchecked: number
}

/** What stands in place of a cause's digest when a person let go of a run. */
export const RELEASED_BY_PERSON = 'person'

/** One run of a skill under a gate. */
export interface RunRecord {
  readonly skill: string
  /** Keys of the loads that belong to this run, newest last. */
  readonly loads: readonly string[]
  readonly fired_at?: string
  readonly released_at?: string
  readonly exhausted_at?: string
  /** The switch went off while the run was held. */
  readonly switched_off_at?: string
  /** First 12 hex digits of the sha256 of the stated cause, or `person`. */
  readonly cause?: string
  /** Name of the output file that met the gate. */
  readonly file?: string
  readonly blocked: number
  readonly observed: number
  /** A call of this run went through unchecked, and no check has followed yet. */
  readonly is_late?: boolean
  /** Stops blocked in a row, with no tool call between. */
  readonly stops_in_row?: number
  /** Id of the subagent whose run this is. */
  readonly agent?: string
  /** A person released the run by command. */
  readonly released_by?: 'person'
}

export interface ErrorRecord {
  readonly at: string
  readonly code: string
  readonly why: string
  /** Event and id of the call that a killed hook was to answer. */
  readonly call?: string
}

/** The run that a gate holds now. */
export const heldRun = (gate: GateRecord, skill: string): RunRecord | undefined => {
  const run = lastRun(gate, skill)
  return run !== undefined && isHeld(run) ? run : undefined
}

export const NO_GATE_RECORD: GateRecord = { runs: [], errors: [], skipped: [], unchecked: 0 }

export const gateOf = (record: SessionRecord, hook: GateHook): GateRecord =>
  record.gates[hook] ?? NO_GATE_RECORD

/** The same record with one gate's part replaced. */
export function withGate(record: SessionRecord, hook: GateHook, gate: GateRecord): SessionRecord {
  return { ...record, gates: { ...record.gates, [hook]: gate } }
}

/** A run that nothing has ended yet. */
export const isOpen = (run: RunRecord): boolean =>
  run.released_at === undefined && run.exhausted_at === undefined && run.switched_off_at === undefined

export type HeldRun = RunRecord & { readonly fired_at: string }

/** Whether a gate holds the run now. */
export const isHeld = (run: RunRecord): run is HeldRun => run.fired_at !== undefined && isOpen(run)

/** The newest run of a skill by one speaker; `agent` undefined is the session itself. */
export const lastRun = (gate: GateRecord, skill: string, agent?: string): RunRecord | undefined =>
  gate.runs.findLast((run) => run.skill === skill && run.agent === agent)

/** The same gate with its newest run of that skill and speaker replaced. */
export function replaceLastRun(gate: GateRecord, run: RunRecord): GateRecord {
  const index = gate.runs.findLastIndex((other) => other.skill === run.skill && other.agent === run.agent)
  return { ...gate, runs: gate.runs.map((other, position) => (position === index ? run : other)) }
}

/** Errors that a gate's record keeps, the newest. */
const KEPT_ERRORS = 200

/** The record with one more error of a gate. */
export function withError(
  record: SessionRecord,
  hook: GateHook,
  error: {
    readonly code: GateErrorCode
    readonly why: string
    readonly at: Date
    readonly unchecked: number
    readonly call?: string
  },
): SessionRecord {
  const gate = gateOf(record, hook)
  const { code, why } = error
  const call = error.call === undefined ? {} : { call: error.call }
  const errors = [...gate.errors, { at: isoTime(error.at), code, why, ...call }].slice(-KEPT_ERRORS)
  const counted = { ...gate, errors, unchecked: gate.unchecked + error.unchecked }
  return withGate(record, hook, error.unchecked === 0 ? counted : withLateRun(counted, error.code))
}

export const keyOfKill = (event: string, callId: string): string => `${event} ${callId}`

/** How far the start of a hook as the client has it may lie from its own. */
const SAME_START_MS = 5_000

/** Whether a hook's kill is filed already: by another pass that found it, or from the client's own trace. */
export function knowsKill(
  gate: GateRecord,
  kill: { readonly event: string; readonly call: string | undefined; readonly startedMs: number },
): boolean {
  return gate.errors.some(({ at, why, call }) => {
    if (kill.call !== undefined && call !== undefined) return call === keyOfKill(kill.event, kill.call)
    const isNear = Math.abs(Date.parse(at) - kill.startedMs) < SAME_START_MS
    return isNear && why.startsWith(`a ${kill.event} hook was killed`)
  })
}

/** A held run has to be told that a call slipped through; a run that could not be armed in time has its tries counted. */
function withLateRun(gate: GateRecord, code: GateErrorCode): GateRecord {
  const run = gate.runs.at(-1)
  if (run !== undefined && isHeld(run))
    return { ...gate, runs: [...gate.runs.slice(0, -1), { ...run, is_late: true }] }
  if (code !== 'GATE_TIMEOUT' || gate.arming === undefined) return gate
  return { ...gate, arming: { ...gate.arming, timeouts: gate.arming.timeouts + 1 } }
}
