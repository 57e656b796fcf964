/**
 * Events without what no contract asks of them: a session's transcript grows to megabytes, nearly all of it output of tools
 * that a check never looks at.
 */

import { EDIT_TOOLS } from '../core/tools.ts'
import {
  ANSWERED,
  backgroundAgent,
  findLoads,
  headOfNotice,
  HOOK_FEEDBACK,
  isAgentCall,
  mayWaive,
  resultsOf,
} from './contract-run.ts'
import type { EventOf, ToolResult, TranscriptEvent } from './event.ts'
import { startOfLastMessage } from './last-message.ts'
import { typedSkill } from './skill-load.ts'

/**
 * Gives the same loads, and for the newest of each skill the same run and check as the events themselves, as long as the
 * contract looks for no other words.
 *
 * @param events from the start of the session
 * @param words lines of output that have none of them are left out; an empty one keeps all
 */
export function condenseEvents(
  events: readonly TranscriptEvent[],
  words: readonly string[],
): readonly TranscriptEvent[] {
  const loads = new Set(findLoads(events).map(({ index }) => index))
  const lastMessage = startOfLastMessage(events)
  const [firstLoad = events.length] = loads
  const start = Math.min(firstLoad, lastMessage)
  const tools = new Map(
    events
      .slice(start)
      .flatMap((event) => (event.kind === 'call' ? [[event.callId, event.tool] as const] : [])),
  )
  const condensed = events.map((event) =>
    event.kind === 'result' ? condenseResult(event, tools.get(event.callId), words) : condenseEvent(event),
  )
  const results = resultsOf(condensed)
  const isSilent = ({ callId }: { callId: string }): boolean =>
    callId === ANSWERED || isPlain(results.get(callId))
  const lastTurn = condensed.findLastIndex(({ kind }) => kind === 'call' || kind === 'prompt')
  const lastEdit = condensed.findLastIndex(
    (event) => event.kind === 'call' && EDIT_TOOLS.has(event.tool) && !event.sidechain && isSilent(event),
  )
  const timed = new Set([...loads, events.findLastIndex(({ atMs }) => atMs !== undefined)])

  const isAsked = (event: TranscriptEvent, index: number): boolean => {
    if (index < start) return isTellingBefore(event)
    if (isBookkeeping(event)) return timed.has(index)
    // That a call succeeded says nothing that its silence does not, unless an agent is waited for or the turn ends with it.
    return event.kind !== 'result' || index > lastTurn || !isSilent(event) || isWaitedFor(event)
  }
  const isWaitedFor = ({ callId }: ToolResult): boolean => isAgentCall({ tool: tools.get(callId) ?? '' })
  const answers = new Set(
    condensed.flatMap((event, index) =>
      event.kind === 'result' && isAsked(event, index) ? [event.callId] : [],
    ),
  )
  const idOf = (call: EventOf<'call'>, index: number): string =>
    isSilent(call) && !answers.has(call.callId) && !loads.has(index) ? ANSWERED : call.callId
  // Only what ran behind the last edit can have been its check.
  const isPast = (event: TranscriptEvent, index: number): boolean =>
    index < Math.min(lastEdit, lastMessage) && !loads.has(index) && isPlainCall(event) && isSilent(event)
  const speaker = events[lastMessage]?.messageId
  return condensed
    .map((event, index) => ({
      event: {
        ...event,
        ...(event.kind === 'call' ? { callId: idOf(event, index) } : {}),
        atMs: timed.has(index) ? event.atMs : undefined,
        messageId: event.kind === 'reply' || event.messageId === speaker ? event.messageId : undefined,
      },
      isAsked: isAsked(event, index),
      isPast: isPast(event, index),
    }))
    .filter((found) => found.isAsked)
    .filter(isTold())
    .map(({ event }) => event)
}

/** Of past calls only the first behind a reply is told, which says that the turn went on. Asked in the order of the session. */
function isTold(): (found: { readonly event: TranscriptEvent; readonly isPast: boolean }) => boolean {
  let isBehindReply = false
  return ({ event, isPast }) => {
    const isNeeded = !isPast || isBehindReply
    if (event.kind === 'reply' || event.kind === 'call') isBehindReply = event.kind === 'reply'
    return isNeeded
  }
}

function isPlainCall(event: TranscriptEvent): event is EventOf<'call'> {
  if (event.kind !== 'call' || event.sidechain || EDIT_TOOLS.has(event.tool) || isAgentCall(event))
    return false
  return event.tool !== 'Bash' || !mayWaive(String(event.input['command']))
}

/** Of what came before the first run: agents that it left running, and that the file is of no known shape. */
const isTellingBefore = (event: TranscriptEvent): boolean =>
  event.kind === 'unknown' || (event.kind === 'result' && backgroundAgent(event) !== undefined)

const isBookkeeping = (event: TranscriptEvent): boolean =>
  event.kind === 'cancelled-hook' || (event.kind === 'other' && event.notice === undefined)

/** Whether there is a result, and it says no more than that. */
const isPlain = (result: ToolResult | undefined): boolean =>
  result?.text === '' && !result.isError && !result.refused && result.details === undefined

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
