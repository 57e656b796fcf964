/**
 * Events without what no contract asks of them: a session's transcript grows to megabytes, nearly all of it output of tools
 * that a check never looks at.
 */

import { backgroundAgent, findLoads, headOfNotice, HOOK_FEEDBACK, isAgentCall } from './contract-run.ts'
import type { EventOf, ToolResult, TranscriptEvent } from './event.ts'
import { startOfLastMessage } from './last-message.ts'
import { typedSkill } from './skill-load.ts'

/**
 * Gives the same loads, runs and checks as the events themselves, as long as the contract looks for no other words.
 *
 * @param events from the start of the session
 * @param words lines of output that have none of them are left out; an empty one keeps all
 */
export function condenseEvents(
  events: readonly TranscriptEvent[],
  words: readonly string[],
): readonly TranscriptEvent[] {
  const loads = findLoads(events).map(({ index }) => index)
  const lastMessage = startOfLastMessage(events)
  const start = Math.min(loads[0] ?? events.length, lastMessage)
  const tools = new Map(
    events
      .slice(start)
      .flatMap((event) => (event.kind === 'call' ? [[event.callId, event.tool] as const] : [])),
  )
  const condensed = events.map((event) =>
    event.kind === 'result' ? condenseResult(event, tools.get(event.callId), words) : condenseEvent(event),
  )
  // That a call succeeded says nothing that its silence does not, unless an agent is waited for or the turn ends with it.
  const telling = new Set(
    condensed.flatMap((event) => (event.kind === 'result' && !isPlain(event) ? [event.callId] : [])),
  )
  const lastTurn = condensed.findLastIndex(({ kind }) => kind === 'call' || kind === 'prompt')
  const timed = new Set([...loads, events.findLastIndex(({ atMs }) => atMs !== undefined)])
  const isAsked = (event: TranscriptEvent, index: number): boolean => {
    if (index < start) return isTellingBefore(event)
    if (isBookkeeping(event)) return timed.has(index)
    return (
      event.kind !== 'result' ||
      index > lastTurn ||
      telling.has(event.callId) ||
      isAgentCall({ tool: tools.get(event.callId) ?? '' })
    )
  }
  const speaker = events[lastMessage]?.messageId
  return condensed
    .map((event, index) => ({
      ...event,
      atMs: timed.has(index) ? event.atMs : undefined,
      messageId: event.kind === 'reply' || event.messageId === speaker ? event.messageId : undefined,
    }))
    .filter(isAsked)
}

/** Of what came before the first run: agents that it left running, and that the file is of no known shape. */
const isTellingBefore = (event: TranscriptEvent): boolean =>
  event.kind === 'unknown' || (event.kind === 'result' && backgroundAgent(event) !== undefined)

const isBookkeeping = (event: TranscriptEvent): boolean =>
  event.kind === 'cancelled-hook' || (event.kind === 'other' && event.notice === undefined)

const isPlain = ({ text, isError, refused, details }: ToolResult): boolean =>
  text === '' && !isError && !refused && details === undefined

function condenseEvent(event: TranscriptEvent): TranscriptEvent {
  if (event.kind === 'prompt') return { ...event, cwd: undefined, text: tellingPart(event.text) }
  if (event.kind === 'call')
    return { ...event, cwd: event.tool === 'Read' ? event.cwd : undefined, input: tellingInput(event) }
  if (event.kind === 'other' && event.notice !== undefined)
    return { ...event, notice: headOfNotice(event.notice) }
  return event
}

function condenseResult(
  event: EventOf<'result'>,
  tool: string | undefined,
  words: readonly string[],
): EventOf<'result'> {
  const agentId = backgroundAgent(event)
  return {
    ...event,
    cwd: undefined,
    text: tool === 'Bash' ? tellingLines(event.text, words) : '',
    details: agentId === undefined ? undefined : { isAsync: true, agentId },
  }
}

/** Of a notice the head, which names its agent; of what a hook said, that it did. */
function tellingPart(prompt: string): string {
  if (typedSkill(prompt) !== undefined) return prompt
  if (prompt.startsWith('<task-notification>')) return headOfNotice(prompt)
  return prompt.startsWith(HOOK_FEEDBACK) ? HOOK_FEEDBACK : ''
}

function tellingInput({ tool, input }: EventOf<'call'>): Readonly<Record<string, unknown>> {
  if (tool === 'Skill' || isAgentCall({ tool })) return input
  if (tool === 'Bash') return { command: input['command'] }
  return tool === 'Read' ? { file_path: input['file_path'] } : {}
}

/** Where the first line says nothing an empty one stands for it, so that no other becomes the start. */
function tellingLines(text: string, words: readonly string[]): string {
  const isTelling = (line: string): boolean => {
    const plain = line.replace(/\*\*|`/g, '')
    return line.includes('SKILL_CONTRACT_') || words.some((word) => plain.includes(word))
  }
  const [first = '', ...others] = text.split(/\r\n|\n|\r/)
  return [isTelling(first) ? first : '', ...others.filter(isTelling)].join('\n')
}
