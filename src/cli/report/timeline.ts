/** What happened in a session, in order: from the trace logs, and from the record where these no longer reach back. */

import { GATE_HOOKS, parseLogLine, type GateHook, type LoggedMarker } from '../../core/marker.ts'
import type { GateRecord, SessionRecord } from '../../core/record.ts'
import type { StatePaths } from '../../store/paths.ts'
import { readLog } from '../../store/trace-log.ts'

export interface TimelineEvent extends Omit<LoggedMarker, 'session'> {
  readonly hook: GateHook
}

export interface Timeline {
  /** Oldest first. */
  readonly events: readonly TimelineEvent[]
  /** The log was rotated since, so that blocks before the first event are counted and not shown. */
  readonly isCut: boolean
}

/** Markers of all sessions that the logs still hold. */
export function readMarkers(paths: StatePaths): readonly (LoggedMarker & { readonly hook: GateHook })[] {
  return GATE_HOOKS.flatMap((hook) =>
    readLog(paths.logs, hook).flatMap((line) => {
      const marker = parseLogLine(line)
      return marker === undefined ? [] : [{ ...marker, hook }]
    }),
  )
}

/** @param markers of any sessions, in the order of their logs */
export function timelineOf(record: SessionRecord, markers: ReturnType<typeof readMarkers>): Timeline {
  const logged = markers.filter(({ session }) => session === record.session)
  const parts = GATE_HOOKS.map((hook) =>
    withRecorded(
      hook,
      logged.filter((marker) => marker.hook === hook),
      record.gates[hook],
    ),
  )
  return {
    events: parts.flatMap(({ events }) => events).sort((a, b) => a.at.localeCompare(b.at)),
    isCut: parts.some(({ isCut }) => isCut),
  }
}

function withRecorded(
  hook: GateHook,
  logged: readonly TimelineEvent[],
  gate: GateRecord | undefined,
): Timeline {
  const recorded = gate === undefined ? [] : recordedEvents(hook, gate)
  const fired = recorded.filter(({ event }) => event === 'fired').length
  const isCut = logged.filter(({ event }) => event === 'fired').length < fired
  if (!isCut) return { events: logged, isCut }
  const [first] = logged
  // The record's times are taken a moment before the log's.
  const startMs = first === undefined ? Infinity : Date.parse(first.at) - SAME_PASS_MS
  return { events: [...recorded.filter(({ at }) => Date.parse(at) < startMs), ...logged], isCut }
}

/** The longest deadline of a hook. */
const SAME_PASS_MS = 20_000

function recordedEvents(hook: GateHook, { runs, errors, skipped }: GateRecord): TimelineEvent[] {
  const eventsOfRuns = runs.flatMap((run) => [
    ...eventAt(run.fired_at, { event: 'fired', fields: [['skill', run.skill]] }),
    ...eventAt(run.released_at, {
      event: 'released',
      fields: [
        ...fieldOf('cause', run.cause),
        ...fieldOf('file', run.file),
        ['blocked', String(run.blocked)],
      ],
    }),
    ...eventAt(run.exhausted_at, { event: 'exhausted', fields: [['blocked', String(run.blocked)]] }),
    ...eventAt(run.switched_off_at, { event: 'off', fields: [] }),
  ])
  const others = [
    ...errors.flatMap(({ at, code, why }) =>
      eventAt(at, {
        event: 'error',
        fields: [
          ['code', code],
          ['why', why],
        ],
      }),
    ),
    ...skipped.flatMap(({ at, reason }) => eventAt(at, { event: 'skipped', fields: [['reason', reason]] })),
  ]
  return [...eventsOfRuns, ...others]
    .map((event) => ({ ...event, hook }))
    .sort((a, b) => a.at.localeCompare(b.at))
}

const eventAt = (at: string | undefined, event: Pick<TimelineEvent, 'event' | 'fields'>) =>
  at === undefined ? [] : [{ at, ...event }]

const fieldOf = (key: string, value: string | undefined) =>
  value === undefined ? [] : [[key, value] as const]
