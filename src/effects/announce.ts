import { formatLogLine, formatMarker, type GateHook, type Marker, type MarkerEvent } from '../core/marker.ts'
import { errorText } from '../core/for-person.ts'
import type { StatePaths } from '../store/paths.ts'
import { appendToLog } from '../store/trace-log.ts'

/** Markers that the person sees; a block's own marker stands in its reason, the others are for the record and the log. */
const SHOWN: ReadonlySet<MarkerEvent> = new Set(['fired', 'released', 'exhausted', 'error', 'off'])

/**
 * Writes markers to the gate's trace log.
 *
 * @returns the lines that ride systemMessage
 */
export function announce(
  gate: { readonly paths: StatePaths; readonly hook: GateHook; readonly now: () => Date },
  markers: readonly Marker[],
): string[] {
  const at = gate.now()
  appendToLog(
    gate.paths.logs,
    gate.hook,
    markers.map((marker) => formatLogLine(marker, at)),
  )
  return shownLines(markers)
}

/** Markers as the person sees them; an error in words, too. */
export const shownLines = (markers: readonly Marker[]): string[] =>
  markers
    .filter(({ event }) => SHOWN.has(event))
    .flatMap((marker) => [formatMarker(marker), ...(marker.event === 'error' ? [errorText(marker)] : [])])
