/**
 * A marker is one decision of a gate as a line that can be counted:
 * `GSTACK_GATE <hook> <event> session=<id> [key=value ...]`.
 */

import { isoTime } from './iso-time.ts'
import type { GateErrorCode } from './errors.ts'

export const GATE_HOOKS = ['investigate-gate', 'ceo-review-gate'] as const
export type GateHook = (typeof GATE_HOOKS)[number]

export const MARKER_EVENTS = [
  'fired',
  'blocked',
  'released',
  'exhausted',
  'observed',
  'skipped',
  'error',
  'off',
] as const

export type MarkerEvent = (typeof MARKER_EVENTS)[number]

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

/** The marker as a line of a transcript. */
export function formatMarker(marker: Marker): string {
  const head = `GSTACK_GATE ${marker.hook} ${marker.event} session=${encodeValue(marker.session)}`
  return [head, ...marker.fields.map(([key, value]) => `${key}=${encodeValue(String(value))}`)].join(' ')
}

/** The same marker as the trace log has it. */
export function formatLogLine(marker: Marker, at: Date): string {
  const head = `${isoTime(at)} session=${encodeValue(marker.session)} event=${marker.event}`
  return [head, ...marker.fields.map(([key, value]) => `${key}=${encodeValue(String(value))}`)].join(' ')
}

/** @returns undefined when the line is not a marker */
export function parseMarker(line: string): Marker | undefined {
  const [prefix, hook, event, session, ...rest] = line.split(' ')
  if (prefix !== 'GSTACK_GATE' || session?.startsWith('session=') !== true) return undefined
  return {
    hook: hook as GateHook,
    event: event as MarkerEvent,
    session: decodeURIComponent(session.slice('session='.length)),
    fields: rest.map(readField),
  }
}

/** A line of a trace log, whose name says the hook. */
export interface LoggedMarker {
  /** ISO 8601. */
  readonly at: string
  readonly event: MarkerEvent
  readonly session: string
  readonly fields: readonly (readonly [key: string, value: string])[]
}

/** @returns undefined when the line is cut off or no line of a gate's trace log */
export function parseLogLine(line: string): LoggedMarker | undefined {
  const [at = '', session = '', named = '', ...rest] = line.split(' ')
  const event = MARKER_EVENTS.find((known) => named === `event=${known}`)
  if (!LOG_TIME.test(at) || !session.startsWith('session=') || event === undefined) return undefined
  try {
    return { at, event, session: readField(session)[1], fields: rest.map(readField) }
  } catch (error) {
    if (error instanceof URIError) return undefined
    throw error
  }
}

const LOG_TIME = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/

function readField(field: string): readonly [key: string, value: string] {
  const equals = field.indexOf('=')
  return [field.slice(0, equals), decodeURIComponent(field.slice(equals + 1))]
}

/** Anything outside the plain alphabet becomes percent-encoded UTF-8, so that a value never holds a blank. */
export function encodeValue(text: string): string {
  // Most are plain, and need no classes of Unicode compiled.
  if (/^[A-Za-z0-9._:/@+,-]*$/.test(text)) return text
  return text
    .toWellFormed()
    .replace(/[^A-Za-z0-9._:/@+,-]/gu, (character) =>
      [...Buffer.from(character, 'utf8')]
        .map((byte) => `%${byte.toString(16).toUpperCase().padStart(2, '0')}`)
        .join(''),
    )
}
