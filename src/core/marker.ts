/**
 * A marker is one decision of a gate as a line that can be counted:
 * `GSTACK_GATE <hook> <event> session=<id> [key=value ...]`.
 */

import type { GateErrorCode } from './errors.ts'

export type GateHook = 'investigate-gate' | 'ceo-review-gate'

export type MarkerEvent =
  'fired' | 'blocked' | 'released' | 'exhausted' | 'observed' | 'skipped' | 'error' | 'off'

export interface Marker {
  readonly hook: GateHook
  readonly event: MarkerEvent
  readonly session: string
  /** In the order of the line. Values are plain text; the line encodes them. */
  readonly fields: readonly (readonly [key: string, value: string | number])[]
}

/** @param session undefined when the payload had no usable id */
export const errorMarker = (
  { hook, session }: { readonly hook: GateHook; readonly session: string | undefined },
  code: GateErrorCode,
  why: string,
): Marker => ({
  hook,
  event: 'error',
  session: session ?? 'unknown',
  fields: [
    ['code', code],
    ['why', why],
  ],
})

export function formatMarker(marker: Marker): string {
  const head = `GSTACK_GATE ${marker.hook} ${marker.event} session=${encodeValue(marker.session)}`
  return [head, ...marker.fields.map(([key, value]) => `${key}=${encodeValue(String(value))}`)].join(' ')
}

/** The same marker as the trace log has it. */
export function formatLogLine(marker: Marker, at: Date): string {
  const head = `${at.toISOString()} session=${encodeValue(marker.session)} event=${marker.event}`
  return [head, ...marker.fields.map(([key, value]) => `${key}=${encodeValue(String(value))}`)].join(' ')
}

/** @returns undefined when the line is not a marker */
export function parseMarker(line: string): Marker | undefined {
  const [prefix, hook, event, session, ...rest] = line.split(' ')
  if (prefix !== 'GSTACK_GATE' || session?.startsWith('session=') !== true) return undefined
  const fields = rest.map((field) => {
    const equals = field.indexOf('=')
    return [field.slice(0, equals), decodeURIComponent(field.slice(equals + 1))] as const
  })
  return {
    hook: hook as GateHook,
    event: event as MarkerEvent,
    session: decodeURIComponent(session.slice('session='.length)),
    fields,
  }
}

/** Anything outside the plain alphabet becomes percent-encoded UTF-8, so that a value never holds a blank. */
export function encodeValue(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^A-Za-z0-9._:/@+,-]/gu, (character) =>
      [...Buffer.from(character, 'utf8')]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
        .join(''),
    )
}
