import type { MarkerEvent } from '../../core/marker.ts'
import { isOpen, type GateRecord, type RunRecord } from '../../core/record.ts'

/** Blocks of one run before a stop goes through all the same. */
export const BLOCK_CAP = 3

export const SKILL = 'plan-ceo-review'

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
  readonly outcome: 'release' | 'block' | 'exhaust' | 'settled'
  readonly gate: GateRecord
  /** In the order in which they happened. */
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
  stop: { readonly event: string; readonly metBy: string | undefined; readonly checked: number; readonly at: string },
): StopDecision {
  const known = runOf(gate, load)
  if (known !== undefined && !isOpen(known)) return { outcome: 'settled', gate, markings: [] }
  const run = known ?? startRun(load, stop.at)
  const fired: Marking[] =
    known === undefined
      ? [
          {
            event: 'fired',
            fields: [
              ['skill', SKILL],
              ['on', stop.event],
            ],
          },
        ]
      : []
  const { outcome, after, marking } = endStop(run, stop)
  return { outcome, gate: withRun(gate, known, after), markings: [...fired, marking] }
}

function endStop(
  run: RunRecord,
  stop: { readonly metBy: string | undefined; readonly checked: number; readonly at: string },
): { outcome: StopDecision['outcome']; after: RunRecord; marking: Marking } {
  const skill = ['skill', SKILL] as const
  const blocked = ['blocked', run.blocked] as const
  if (stop.metBy !== undefined) {
    const after = { ...run, released_at: stop.at, file: stop.metBy }
    return { outcome: 'release', after, marking: { event: 'released', fields: [skill, ['file', stop.metBy], blocked] } }
  }
  if (run.blocked >= BLOCK_CAP) {
    const after = { ...run, exhausted_at: stop.at }
    return { outcome: 'exhaust', after, marking: { event: 'exhausted', fields: [skill, blocked] } }
  }
  const after = { ...run, blocked: run.blocked + 1 }
  const fields = [skill, ['via', 'stop'] as const, ['files', stop.checked] as const]
  return { outcome: 'block', after, marking: { event: 'blocked', fields } }
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
