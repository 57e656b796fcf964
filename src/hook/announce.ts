import { formatLogLine, formatMarker, type Marker, type MarkerEvent } from '../core/marker.ts'
import { appendToLog } from '../store/trace-log.ts'
import type { HookCall } from './call.ts'

/** Markers that the person sees; a block's own marker stands in its reason, the others are for the record and the log. */
const SHOWN: ReadonlySet<MarkerEvent> = new Set(['fired', 'released', 'exhausted', 'error', 'off'])

/**
 * Writes markers to the gate's trace log.
 *
 * @returns the lines that ride systemMessage
 */
export function announce(
  call: Pick<HookCall, 'paths' | 'hook' | 'now'>,
  markers: readonly Marker[],
): string[] {
  const at = call.now()
  appendToLog(
    call.paths.logs,
    call.hook,
    markers.map((marker) => formatLogLine(marker, at)),
  )
  return markers.filter((marker) => SHOWN.has(marker.event)).map(formatMarker)
}
