import type { Deadline } from '../core/deadline.ts'
import type { SessionId } from '../core/ids.ts'
import { errorMarker, type GateHook } from '../core/marker.ts'
import { gateOf, keyOfKill, knowsKill, withError, type SessionRecord } from '../core/record.ts'
import type { StatePaths } from '../store/paths.ts'
import { readRecord, updateRecord } from '../store/record.ts'
import { announce } from './announce.ts'

/** A kill as the client's own trace has it. */
export interface TracedKill {
  readonly event: string
  readonly callId: string
  readonly startedMs: number
}

/**
 * Files hooks of one gate that the client killed before they had left a mark of their own.
 *
 * @returns the lines that ride systemMessage
 * @throws GateError GATE_STATE, GATE_LOCKED
 */
export async function fileTimedOut(
  call: { readonly paths: StatePaths; readonly now: () => Date; readonly deadline: Deadline },
  { session, hook, kills }: { session: SessionId; hook: GateHook; kills: readonly TracedKill[] },
): Promise<readonly string[]> {
  const { paths, now, deadline } = call
  const newsIn = (record: SessionRecord | undefined): readonly TracedKill[] =>
    kills.filter((kill) => record === undefined || !knowsKill(gateOf(record, hook), keyed(kill)))
  if (newsIn(readRecord(paths, session)).length === 0) return []

  let news: readonly TracedKill[] = []
  await updateRecord({ paths, session, now: now(), deadline }, (record) => {
    news = newsIn(record)
    return news.reduce((filed, kill) => withKill(filed, hook, kill), record)
  })
  const markers = news.map((kill) => errorMarker({ hook, session }, 'GATE_KILLED', whyOf(kill)))
  return announce({ ...call, hook }, markers)
}

const keyed = (kill: TracedKill): Parameters<typeof knowsKill>[1] => ({ ...kill, call: kill.callId })

const withKill = (record: SessionRecord, hook: GateHook, kill: TracedKill): SessionRecord =>
  withError(record, hook, {
    code: 'GATE_KILLED',
    why: whyOf(kill),
    at: new Date(kill.startedMs),
    unchecked: 1,
    call: keyOfKill(kill.event, kill.callId),
  })

const whyOf = ({ event }: TracedKill): string =>
  `a ${event} hook was killed before it had answered: the client noted its timeout`
