import type { TranscriptEvent } from './event.ts'

/** The newest message of the assistant. */
export interface LastMessage {
  readonly id: string | undefined
  readonly line: number
  readonly texts: readonly string[]
  /** Tools that this message called. */
  readonly tools: readonly string[]
  /** A prompt or a result came after it. */
  readonly answered: boolean
}

export const NO_MESSAGE: LastMessage = { id: undefined, line: -1, texts: [], tools: [], answered: false }

/** The newest message of the main session's assistant. */
export const lastMessageOf = (events: readonly TranscriptEvent[]): LastMessage =>
  events
    .slice(startOfLastMessage(events))
    .reduce((last, event) => (event.sidechain ? last : hear(last, event)), NO_MESSAGE)

/** @returns the index of its first block; 0 when there is no message, or an earlier one that has no id either */
export function startOfLastMessage(events: readonly TranscriptEvent[]): number {
  const isSpoken = ({ kind, sidechain }: TranscriptEvent) =>
    !sidechain && (kind === 'reply' || kind === 'call')
  const { messageId } = events.findLast(isSpoken) ?? {}
  const before = events.findLastIndex((event) => isSpoken(event) && event.messageId !== messageId)
  return Math.max(
    0,
    events.findIndex((event, index) => index > before && isSpoken(event)),
  )
}

/** What the newest message is after an event of its session. */
export function hear(last: LastMessage, event: TranscriptEvent): LastMessage {
  if (event.kind === 'prompt' || event.kind === 'result') return { ...last, answered: true }
  if (event.kind !== 'reply' && event.kind !== 'call') return last
  const continues = event.messageId !== undefined && event.messageId === last.id
  const [texts, tools] = continues ? [last.texts, last.tools] : [[], []]
  return {
    id: event.messageId,
    line: event.line,
    texts: event.kind === 'reply' ? [...texts, event.text] : texts,
    tools: event.kind === 'call' ? [...tools, event.tool] : tools,
    answered: false,
  }
}
