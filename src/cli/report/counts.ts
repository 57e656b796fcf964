/** A session's record in numbers, and what those numbers mean for the exit code. */

import type { GateErrorCode } from '../../core/errors.ts'
import { isOpen, type ErrorRecord, type GateRecord, type SessionRecord } from '../../core/record.ts'

/** In the order of the columns. */
export const COUNT_NAMES = [
  'runs',
  'fired',
  'blocked',
  'released',
  'exhausted',
  'observed',
  'unchecked',
  'errors',
] as const

export type GateCounts = Readonly<Record<(typeof COUNT_NAMES)[number], number>>

export interface SessionReport {
  readonly session: string
  /** ISO 8601; undefined when the record cannot be read. */
  readonly updatedAt: string | undefined
  readonly gates: Readonly<Record<string, GateCounts>>
  /** Newest last; of all gates. */
  readonly errors: readonly (ErrorRecord & { readonly hook: string })[]
  readonly skipped: readonly { readonly hook: string; readonly reason: string }[]
  /** No check has succeeded since the last one that went wrong. */
  readonly lastCheckFailed: boolean
  /** Calls that the transcript has after the last check of a run that is held. */
  readonly unwatched: number
  /** Runs that a person released by command, with the time in ISO 8601. */
  readonly byPerson: readonly { readonly hook: string; readonly at: string }[]
}

export function reportOf(record: SessionRecord, unwatched = 0): SessionReport {
  const gates = Object.entries(record.gates)
  return {
    session: record.session,
    updatedAt: record.updated_at,
    gates: Object.fromEntries(gates.map(([hook, gate]) => [hook, countsOf(gate)])),
    errors: gates.flatMap(([hook, gate]) => gate.errors.map((error) => ({ ...error, hook }))),
    skipped: gates.flatMap(([hook, gate]) => gate.skipped.map(({ reason }) => ({ hook, reason }))),
    lastCheckFailed: unwatched > 0 || gates.some(([, gate]) => hasFailedLast(gate)),
    unwatched,
    byPerson: gates.flatMap(([hook, gate]) =>
      gate.runs.flatMap(({ released_by: by, released_at: at }) =>
        by === undefined || at === undefined ? [] : [{ hook, at }],
      ),
    ),
  }
}

/** Stands for a session whose record cannot be read: as one error, so that it is never taken for a clean one. */
export function brokenReport(session: string, error: ErrorRecord): SessionReport {
  return {
    session,
    updatedAt: undefined,
    gates: {},
    errors: [{ ...error, hook: 'record' }],
    skipped: [],
    lastCheckFailed: true,
    unwatched: 0,
    byPerson: [],
  }
}

/** A gate that never fired has its errors from arming. */
const hasFailedLast = ({ runs, errors }: GateRecord): boolean => {
  const run = runs.at(-1)
  return run?.fired_at === undefined ? errors.length > 0 : run.is_late === true && isOpen(run)
}

export function countsOf({ runs, errors, unchecked }: GateRecord): GateCounts {
  const sum = (count: (run: GateRecord['runs'][number]) => number) =>
    runs.reduce((total, run) => total + count(run), 0)
  return {
    runs: runs.length,
    fired: sum((run) => Number(run.fired_at !== undefined)),
    blocked: sum((run) => run.blocked),
    released: sum((run) => Number(run.released_at !== undefined)),
    exhausted: sum((run) => Number(run.exhausted_at !== undefined)),
    observed: sum((run) => run.observed),
    unchecked,
    errors: errors.length,
  }
}

/** Counts of all sessions together, by gate. */
export function totalsOf(reports: readonly SessionReport[]): Readonly<Record<string, GateCounts>> {
  const totals: Record<string, GateCounts> = {}
  for (const { gates } of reports)
    for (const [hook, counts] of Object.entries(gates)) totals[hook] = add(totals[hook] ?? NOTHING, counts)
  return totals
}

const NOTHING = Object.fromEntries(COUNT_NAMES.map((name) => [name, 0])) as GateCounts

const add = (one: GateCounts, other: GateCounts): GateCounts =>
  Object.fromEntries(COUNT_NAMES.map((name) => [name, one[name] + other[name]])) as GateCounts

/**
 * The code that ends a report, of several the one that tells least about the rest: a session that never armed was not
 * held at all.
 *
 * @returns undefined when all is well
 */
export function codeOfReports(
  reports: readonly SessionReport[],
  { expectArmed }: { readonly expectArmed: boolean },
): Extract<GateErrorCode, 'GATE_NOT_ARMED' | 'GATE_ERRORED'> | undefined {
  if (expectArmed && (reports.length === 0 || !reports.every(isArmed))) return 'GATE_NOT_ARMED'
  return reports.some(isErrored) ? 'GATE_ERRORED' : undefined
}

/** Whether a gate ever armed in the session. */
export const isArmed = ({ gates }: SessionReport) => Object.values(gates).some(({ fired }) => fired > 0)

/** Order of the report: the higher, the earlier. */
export const urgencyOf = (report: SessionReport): number =>
  report.lastCheckFailed ? 2 : Number(isErrored(report))

export const isErrored = ({ gates, errors, unwatched }: SessionReport) =>
  errors.length > 0 || unwatched > 0 || Object.values(gates).some(({ unchecked }) => unchecked > 0)
