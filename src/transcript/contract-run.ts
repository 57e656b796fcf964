/**
 * The events of a session as runs of its skills: what one run said, called, printed and left running. Contracts are
 * checked against one run; what they ask is in `policy/contract/`.
 */

import path from 'node:path'
import type { ToolResult, TranscriptEvent } from './event.ts'
import { skillOfCall, skillOfPath, typedSkill } from './skill-load.ts'

/** A load that did not fail. */
export interface SkillLoad {
  readonly skill: string
  /** The call's id, or `line:<n>` for a typed one. */
  readonly key: string
  /** Index of its event. */
  readonly index: number
  readonly atMs: number | undefined
}

export interface SkillRun {
  readonly load: SkillLoad
  /** In the order of the transcript. */
  readonly messages: readonly Message[]
  readonly calls: readonly Call[]
  /** What the assistant and its Bash commands printed, in the order of the transcript. */
  readonly prints: readonly string[]
  /** Ids of agents whose result may still come: the agent's own, or its call's while it has none. */
  readonly runningAgents: readonly string[]
}

export interface Message {
  /** Its text blocks, joined by newlines. */
  readonly text: string
  /** Its turn ended with it. */
  readonly endsTurn: boolean
}

export interface Call {
  readonly callId: string
  readonly tool: string
  readonly input: Readonly<Record<string, unknown>>
  /** Undefined while none came. */
  readonly result: ToolResult | undefined
}

/**
 * Whether this is a transcript that the parser understands: it has records of a user or the assistant, and each of them
 * a message whose content is text or a list of blocks. Lines that are no JSON are torn, not strange.
 */
export function hasKnownShape(events: readonly TranscriptEvent[]): boolean {
  const isTurn = ({ kind }: TranscriptEvent) =>
    kind === 'prompt' || kind === 'reply' || kind === 'call' || kind === 'result'
  const isStrange = (event: TranscriptEvent) =>
    event.kind === 'unknown' && event.why !== 'not a JSON object' && event.why !== 'no type'
  return events.some(isTurn) && !events.some(isStrange)
}

/** Every load of every skill in the main session, oldest first. */
export function findLoads(events: readonly TranscriptEvent[]): readonly SkillLoad[] {
  const results = resultsOf(events)
  return events.flatMap((event, index): SkillLoad[] => {
    if (event.sidechain) return []
    const skill = loadedSkill(event)
    if (skill === undefined || (event.kind === 'call' && isFailed(results.get(event.callId)))) return []
    const key = event.kind === 'call' ? event.callId : `line:${event.line}`
    return [{ skill, key, index, atMs: event.atMs }]
  })
}

/**
 * The run that a load began: up to the next load of the same skill, else to the end.
 *
 * @param lastText the turn's final text where the transcript may lack it still
 * @param loads all of these events, where they are known
 */
export function readRun(
  events: readonly TranscriptEvent[],
  load: SkillLoad,
  lastText?: string,
  loads = findLoads(events),
): SkillRun {
  const next = loads.find((other) => other.skill === load.skill && other.index > load.index)
  const own = events.slice(load.index + 1, next?.index).filter((event) => !event.sidechain)
  // A result may come after the next load: it still belongs to its call.
  const results = resultsOf(events.slice(load.index))
  const calls = own
    .filter((event) => event.kind === 'call')
    .map(({ callId, tool, input }) => ({ callId, tool, input, result: results.get(callId) }))
  const bashCalls = new Set(
    calls.flatMap(({ tool, callId }) => (tool === 'Bash' && callId !== ANSWERED ? [callId] : [])),
  )
  const prints = own.flatMap((event) => {
    if (event.kind === 'reply') return [event.text]
    return event.kind === 'result' && bashCalls.has(event.callId) && !event.refused ? [event.text] : []
  })
  const missing = next === undefined ? textNotIn(own, lastText) : undefined
  return {
    load,
    messages: [...readMessages(own), ...(missing === undefined ? [] : [{ text: missing, endsTurn: true }])],
    calls,
    prints: [...prints, ...(missing === undefined ? [] : [missing])],
    runningAgents: findRunningAgents(calls, events.slice(load.index)),
  }
}

/** Agents that were launched before a run; what they still do is nothing of its. */
export function agentsBefore(events: readonly TranscriptEvent[], load: SkillLoad): ReadonlySet<string> {
  return new Set(
    events
      .slice(0, load.index)
      .flatMap((event) => (event.kind === 'result' ? (backgroundAgent(event) ?? []) : [])),
  )
}

/** Whether a call failed or never ran; one without a result yet did neither. */
export const isFailed = (result: ToolResult | undefined): boolean =>
  result !== undefined && (result.isError || result.refused)

/** Id of a call whose result was left out of what is kept, since it said nothing. */
export const ANSWERED = ''

/** Whether a command is worth reading for a waiver. */
export const mayWaive = (command: string): boolean => command.includes('waive')

/** `Task` is the old name. */
export const isAgentCall = ({ tool }: Pick<Call, 'tool'>): boolean => tool === 'Agent' || tool === 'Task'

function loadedSkill(event: TranscriptEvent): string | undefined {
  if (event.kind === 'prompt') return event.isMeta ? undefined : typedSkill(event.text)
  if (event.kind !== 'call') return undefined
  if (event.tool === 'Skill') return skillOfCall(event.input)
  const file = event.input['file_path']
  if (event.tool !== 'Read' || typeof file !== 'string') return undefined
  return skillOfPath(event.cwd === undefined ? file : path.resolve(event.cwd, file))
}

export function resultsOf(events: readonly TranscriptEvent[]): ReadonlyMap<string, ToolResult> {
  return new Map(
    events.flatMap((event) =>
      event.kind === 'result' && event.callId !== ANSWERED ? [[event.callId, event] as const] : [],
    ),
  )
}

/** Blocks of one message share its id; one without an id stands alone. */
function readMessages(events: readonly TranscriptEvent[]): readonly Message[] {
  const messages: { id: string | undefined; texts: string[]; endsTurn: boolean }[] = []
  let isSameTurn = false
  for (const event of events) {
    if (startsTurn(event)) isSameTurn = false
    if (event.kind !== 'reply' && event.kind !== 'call') continue
    const last = isSameTurn ? messages.at(-1) : undefined
    if (last !== undefined) last.endsTurn = false
    if (event.kind === 'call') continue
    if (last === undefined || event.messageId === undefined || event.messageId !== last.id)
      messages.push({ id: event.messageId, texts: [event.text], endsTurn: true })
    else {
      last.texts.push(event.text)
      last.endsTurn = true
    }
    isSameTurn = true
  }
  return messages.map(({ texts, endsTurn }) => ({ text: texts.join('\n'), endsTurn }))
}

/** How the client begins the prompt that holds a hook's reason. */
export const HOOK_FEEDBACK = 'Stop hook feedback:'

/** A prompt, or the reason why a hook held the turn; a skill's own text comes in the middle of one. */
const startsTurn = (event: TranscriptEvent): boolean =>
  event.kind === 'prompt' && (!event.isMeta || event.text.startsWith(HOOK_FEEDBACK))

/** @returns undefined when the transcript ends with that text, or there is none */
export function textNotIn(
  events: readonly TranscriptEvent[],
  lastText: string | undefined,
): string | undefined {
  const text = lastText?.trim() ?? ''
  if (text === '') return undefined
  const end = events.findLastIndex(({ kind }) => kind === 'prompt' || kind === 'call' || kind === 'result')
  const isThere = events.slice(end + 1).some((event) => event.kind === 'reply' && event.text.trim() === text)
  return isThere ? undefined : text
}

function findRunningAgents(calls: readonly Call[], events: readonly TranscriptEvent[]): readonly string[] {
  const agents = calls.filter(isAgentCall)
  if (agents.length === 0) return []
  const finished = new Set(events.flatMap(finishedIds))
  return agents.flatMap(({ callId, result }) => {
    if (result === undefined) return [callId]
    const agent = backgroundAgent(result)
    return agent === undefined || finished.has(agent) || finished.has(callId) ? [] : [agent]
  })
}

/** Id of an agent that was launched and left to itself. */
export function backgroundAgent({ isError, details, text }: ToolResult): string | undefined {
  if (isError) return undefined
  const isLaunched =
    details?.['isAsync'] === true ||
    details?.['status'] === 'async_launched' ||
    text.startsWith('Async agent launched')
  const named = details?.['agentId'] ?? /^agentId: ([\w-]+)/m.exec(text)?.[1]
  return isLaunched && typeof named === 'string' ? named : undefined
}

/** The ids that a completion notice names: of the agent, and of the call that launched it. */
function finishedIds(event: TranscriptEvent): string[] {
  const notice = noticeOf(event)
  if (notice === undefined) return []
  return [...headOfNotice(notice).matchAll(/<(task-id|tool-use-id)>([^<]+)<\/\1>/g)].flatMap(
    (match) => match[2]?.trim() ?? [],
  )
}

/** What stands before the agent's result, which may hold anything. */
export const headOfNotice = (notice: string): string => notice.split('<result>', 1)[0] ?? ''

function noticeOf(event: TranscriptEvent): string | undefined {
  if (event.kind === 'other') return event.notice
  return event.kind === 'prompt' && event.text.startsWith('<task-notification>') ? event.text : undefined
}
