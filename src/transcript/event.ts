/**
 * One line of a Claude Code transcript as an event. The only file that knows the client's record shapes; what a line
 * means for a session is `facts.ts`.
 */

export interface EventPlace {
  /** 0-based line of the file; the order to trust, since timestamps of neighbours can be reversed. */
  readonly line: number
  /** Milliseconds since the epoch; undefined when the record has no readable timestamp. */
  readonly atMs: number | undefined
  /** The session's directory when the record was written; paths of tool inputs are relative to it. */
  readonly cwd: string | undefined
  /** Written by a subagent. */
  readonly sidechain: boolean
  /** Id of the API message that the block belongs to; blocks of one message share it. */
  readonly messageId: string | undefined
}

export type TranscriptEvent = EventPlace &
  (
    | { readonly kind: 'prompt'; readonly text: string; readonly isMeta: boolean }
    | { readonly kind: 'reply'; readonly text: string }
    | {
        readonly kind: 'call'
        readonly callId: string
        readonly tool: string
        readonly input: Readonly<Record<string, unknown>>
      }
    | ToolResult
    | {
        readonly kind: 'cancelled-hook'
        readonly hookEvent: string
        readonly command: string | undefined
        readonly timedOut: boolean
        readonly durationMs: number | undefined
        readonly callId: string | undefined
      }
    /** `notice` is what the client says of background work, outside of a prompt. */
    | { readonly kind: 'other'; readonly notice?: string }
    | { readonly kind: 'unknown'; readonly why: UnknownReason }
  )

export type UnknownReason =
  | 'not a JSON object'
  | 'no type'
  | 'no message'
  | 'user content is neither text nor a list'
  | 'assistant content is neither text nor a list'

export interface ToolResult {
  readonly kind: 'result'
  readonly callId: string
  readonly text: string
  readonly isError: boolean
  /** Denied by a hook or a rule, rejected or interrupted by the user: the call did not run to an end of its own. */
  readonly refused: boolean
  /** The client's structured result, when there is one. */
  readonly details: Readonly<Record<string, unknown>> | undefined
}

export type EventOf<Kind extends TranscriptEvent['kind']> = Extract<TranscriptEvent, { kind: Kind }>

/** Record types that are turns of the conversation or attachments; everything else is bookkeeping. */
const TURN_TYPES = new Set(['user', 'assistant', 'attachment'])

/**
 * Reads one line.
 *
 * @param text without its newline; may be empty, cut off, glued or binary
 * @returns one event per content block; `unknown` for a line that is not JSON or a turn of an unknown shape
 */
export function readEvents(text: string, line: number): TranscriptEvent[] {
  const nowhere: EventPlace = {
    line,
    atMs: undefined,
    cwd: undefined,
    sidechain: false,
    messageId: undefined,
  }
  if (text.trim() === '') return []
  const record = parseObject(text)
  if (record === undefined) return [{ ...nowhere, kind: 'unknown', why: 'not a JSON object' }]
  if (typeof record['type'] !== 'string') return [{ ...nowhere, kind: 'unknown', why: 'no type' }]
  if (!TURN_TYPES.has(record['type']))
    return [{ ...nowhere, kind: 'other', ...readNotice(record['content']) }]

  const message = asObject(record['message'])
  const place: EventPlace = {
    line,
    atMs: readTime(record['timestamp']),
    cwd: asText(record['cwd']),
    sidechain: record['isSidechain'] === true,
    messageId: asText(message?.['id']),
  }
  if (record['type'] === 'attachment') return [readAttachment(asObject(record['attachment']), place)]
  if (message === undefined) return [{ ...place, kind: 'unknown', why: 'no message' }]
  return record['type'] === 'user' ? readUser(record, message, place) : readAssistant(record, message, place)
}

function readUser(record: Json, message: Json, place: EventPlace): TranscriptEvent[] {
  const content = message['content']
  const isMeta = record['isMeta'] === true || record['isCompactSummary'] === true
  if (typeof content === 'string') return [{ ...place, kind: 'prompt', text: content, isMeta }]
  if (!Array.isArray(content))
    return [{ ...place, kind: 'unknown', why: 'user content is neither text nor a list' }]

  const blocks = content.map(asObject)
  const results = blocks.filter((block) => block?.['type'] === 'tool_result')
  const texts = blocks.flatMap((block) => (block?.['type'] === 'text' ? (asText(block['text']) ?? []) : []))
  const prompt: TranscriptEvent[] =
    texts.length > 0 ? [{ ...place, kind: 'prompt', text: texts.join('\n'), isMeta }] : []
  return [...results.map((block) => readResult(record, block ?? {}, place)), ...prompt]
}

function readResult(record: Json, block: Json, place: EventPlace): TranscriptEvent {
  const details = asObject(record['toolUseResult'])
  const text = textOf(block['content'])
  const isError = block['is_error'] === true
  return {
    ...place,
    kind: 'result',
    callId: asText(block['tool_use_id']) ?? '',
    text,
    isError,
    refused:
      (isError && asObject(record['permissionDecision'])?.['decision'] === 'reject') ||
      (isError && record['toolDenialKind'] !== undefined) ||
      (isError && REFUSALS.some((start) => text.startsWith(start))) ||
      details?.['interrupted'] === true,
    details,
  }
}

/** How the client words a call that a hook denied, the user rejected, or that it refused itself. */
const REFUSALS = [
  'PreToolUse:',
  "The user doesn't want to proceed",
  'Permission to use',
  'Claude requested permissions',
  'This command requires approval',
  '<tool_use_error>',
  '[Request interrupted',
]

function readAssistant(record: Json, message: Json, place: EventPlace): TranscriptEvent[] {
  const content = message['content']
  if (record['isApiErrorMessage'] === true) return [{ ...place, kind: 'other' }]
  if (typeof content === 'string') return [{ ...place, kind: 'reply', text: content }]
  if (!Array.isArray(content))
    return [{ ...place, kind: 'unknown', why: 'assistant content is neither text nor a list' }]
  return content.flatMap((value): TranscriptEvent[] => {
    const block = asObject(value)
    if (block?.['type'] === 'text') return [{ ...place, kind: 'reply', text: asText(block['text']) ?? '' }]
    if (block?.['type'] !== 'tool_use') return []
    return [
      {
        ...place,
        kind: 'call',
        callId: asText(block['id']) ?? '',
        tool: asText(block['name']) ?? '',
        input: asObject(block['input']) ?? {},
      },
    ]
  })
}

function readAttachment(attachment: Json | undefined, place: EventPlace): TranscriptEvent {
  if (attachment?.['type'] === 'queued_command')
    return { ...place, kind: 'other', ...readNotice(attachment['prompt']) }
  if (attachment?.['type'] !== 'hook_cancelled') return { ...place, kind: 'other' }
  return {
    ...place,
    kind: 'cancelled-hook',
    hookEvent: asText(attachment['hookEvent']) ?? '',
    command: asText(attachment['command']),
    timedOut: attachment['timedOut'] === true,
    durationMs: typeof attachment['durationMs'] === 'number' ? attachment['durationMs'] : undefined,
    callId: asText(attachment['toolUseID']),
  }
}

function readNotice(content: unknown): { readonly notice?: string } {
  return typeof content === 'string' && content.startsWith('<task-notification>') ? { notice: content } : {}
}

type Json = Readonly<Record<string, unknown>>

function parseObject(text: string): Json | undefined {
  try {
    return asObject(JSON.parse(text))
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const asObject = (value: unknown): Json | undefined =>
  typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Json) : undefined

const asText = (value: unknown): string | undefined => (typeof value === 'string' ? value : undefined)

function textOf(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content.flatMap((block) => asText(asObject(block)?.['text']) ?? []).join('\n')
}

function readTime(value: unknown): number | undefined {
  const ms = typeof value === 'string' ? Date.parse(value) : Number.NaN
  return Number.isNaN(ms) ? undefined : ms
}
