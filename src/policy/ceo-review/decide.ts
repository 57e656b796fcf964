import type { MarkerEvent } from '../../core/marker.ts'
import { isOpen, type GateRecord, type RunRecord } from '../../core/record.ts'

/** Blocks of one run before a stop goes through all the same. */
export const BLOCK_CAP = 3

export const SKILL = 'plan-ceo-review'

const skill = ['skill', SKILL] as const

/** The load that a stop belongs to, and whose it is. */
export interface Load {
  /** Tells loads apart. */
  readonly key: string
  /** Id of the subagent; undefined for the session itself. */
  readonly agent: string | undefined
}

export interface Marking {
  readonly event: MarkerEvent
  readonly fields: readonly (readonly [key: string, value: string | number])[]
}

export interface StopDecision {
  readonly gate: GateRecord
  /** In the order in which they happened; none when the run had ended before. */
  readonly markings: readonly Marking[]
}

/** The record of a load's run; undefined before its first final stop. */
export const runOf = (gate: GateRecord, load: Load): RunRecord | undefined =>
  gate.runs.findLast((run) => run.skill === SKILL && run.agent === load.agent && run.loads.includes(load.key))

/**
 * Decides one final stop.
 *
 * @param stop.event the hook event that reported it
 * @param stop.metBy name of the file that ranks the top risks; undefined when none does
 * @param stop.checked how many files were looked at
 */
export function decideStop(
  gate: GateRecord,
  load: Load,
  stop: {
    readonly event: string
    readonly metBy: string | undefined
    readonly checked: number
    readonly at: string
  },
): StopDecision {
  const known = runOf(gate, load)
  if (known !== undefined && !isOpen(known)) return { gate, markings: [] }
  const { run, marking } = endStop(known ?? startRun(load, stop.at), stop)
  const fired: Marking = { event: 'fired', fields: [skill, ['on', stop.event]] }
  return { gate: withRun(gate, known, run), markings: known === undefined ? [fired, marking] : [marking] }
}

/** A stop that goes through because the repository cannot be looked at; counted once per session and reason. */
export function decideSkip(gate: GateRecord, reason: string, at: string): StopDecision {
  if (gate.skipped.some((known) => known.reason === reason)) return { gate, markings: [] }
  const skipped = [...gate.skipped, { at, reason }]
  return { gate: { ...gate, skipped }, markings: [{ event: 'skipped', fields: [skill, ['reason', reason]] }] }
}

function endStop(
  run: RunRecord,
  stop: { readonly metBy: string | undefined; readonly checked: number; readonly at: string },
): { run: RunRecord; marking: Marking } {
  const blocked = ['blocked', run.blocked] as const
  if (stop.metBy !== undefined)
    return {
      run: { ...run, released_at: stop.at, file: stop.metBy },
      marking: { event: 'released', fields: [skill, ['file', stop.metBy], blocked] },
    }
  if (run.blocked >= BLOCK_CAP)
    return {
      run: { ...run, exhausted_at: stop.at },
      marking: { event: 'exhausted', fields: [skill, blocked] },
    }
  return {
    run: { ...run, blocked: run.blocked + 1 },
    marking: { event: 'blocked', fields: [skill, ['via', 'stop'], ['files', stop.checked]] },
  }
}

const startRun = (load: Load, at: string): RunRecord => ({
  skill: SKILL,
  loads: [load.key],
  fired_at: at,
  blocked: 0,
  observed: 0,
  ...(load.agent === undefined ? {} : { agent: load.agent }),
})

const withRun = (gate: GateRecord, before: RunRecord | undefined, after: RunRecord): GateRecord => ({
  ...gate,
  runs: before === undefined ? [...gate.runs, after] : gate.runs.map((run) => (run === before ? after : run)),
})
