/** Events as a file keeps them: a call of which nothing but its input is known, as most are, is a short list. */

import type { EventOf, TranscriptEvent } from './event.ts'

type PackedCall = readonly [
  line: number,
  callId: string,
  tool: string,
  input: Readonly<Record<string, unknown>>,
]

export const packEvents = (events: readonly TranscriptEvent[]): readonly (TranscriptEvent | PackedCall)[] =>
  events.map((event) =>
    event.kind === 'call' && isBare(event) ? [event.line, event.callId, event.tool, event.input] : event,
  )

/** @param packed as JSON gives it back */
export const unpackEvents = (packed: readonly unknown[]): readonly TranscriptEvent[] =>
  packed.map((event) =>
    Array.isArray(event) ? unpackCall(event as unknown as PackedCall) : event,
  ) as TranscriptEvent[]

const isBare = ({ atMs, cwd, sidechain, messageId }: EventOf<'call'>): boolean =>
  atMs === undefined && cwd === undefined && !sidechain && messageId === undefined

const unpackCall = (call: PackedCall): EventOf<'call'> => ({
  line: call[0],
  atMs: undefined,
  cwd: undefined,
  sidechain: false,
  messageId: undefined,
  kind: 'call',
  callId: call[1],
  tool: call[2],
  input: call[3],
})
