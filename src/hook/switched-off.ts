import { isoTime } from '../core/iso-time.ts'
import type { GateHook } from '../core/marker.ts'
import { gateOf, isHeld, withGate, type SessionRecord } from '../core/record.ts'

/** The record with every held run of a gate ended because its switch went off. */
export function switchOff(record: SessionRecord, hook: GateHook, now: Date): SessionRecord {
  const gate = gateOf(record, hook)
  const at = isoTime(now)
  return withGate(record, hook, {
    ...gate,
    runs: gate.runs.map((run) => (isHeld(run) ? { ...run, switched_off_at: at } : run)),
  })
}
