/**
 * What Claude Code sends on standard input, checked. Hand-written guards: a schema library costs every call more than
 * this file does (`docs/decisions/0004`).
 */

import { GateError } from '../core/errors.ts'
import { toSessionId, type SessionId } from '../core/ids.ts'
import { PAYLOAD_SHAPE_LIMIT_BYTES } from '../core/limits.ts'

export interface HookPayload {
  readonly session: SessionId
  readonly transcriptPath: string
  readonly event: string
  /** Absolute; the session's current directory. */
  readonly cwd: string
  readonly tool: string | undefined
  readonly callId: string | undefined
  readonly toolInput: Readonly<Record<string, unknown>>
  /** Set when a subagent makes the call or ends. */
  readonly agentId: string | undefined
  /** Empty for the SubagentStop of a compaction. */
  readonly agentType: string | undefined
  readonly agentTranscriptPath: string | undefined
  readonly stopHookActive: boolean
  /** Only the last text block of the message. */
  readonly lastAssistantMessage: string | undefined
  readonly backgroundTasks: readonly unknown[]
  readonly prompt: string | undefined
}

const INPUT_LIMIT_BYTES = 64 * 1024 * 1024
const LONG_STRING_CHARS = 64 * 1024

/**
 * Reads a payload.
 *
 * @throws GateError GATE_BAD_PAYLOAD when it is not an object with the fields that every hook needs
 */
export function readPayload(bytes: Buffer): HookPayload {
  if (bytes.length > INPUT_LIMIT_BYTES) throw bad('it is over 64 MiB')
  const fields = parse(bytes)
  if (bytes.length > PAYLOAD_SHAPE_LIMIT_BYTES && cutSize(fields) > PAYLOAD_SHAPE_LIMIT_BYTES)
    throw bad('it is over 1 MiB without its long strings')

  const session = toSessionId(required(fields, 'session_id'))
  if (session === undefined) throw bad('session_id is not a safe file name')
  return {
    session,
    transcriptPath: required(fields, 'transcript_path'),
    event: required(fields, 'hook_event_name'),
    cwd: required(fields, 'cwd'),
    tool: optional(fields, 'tool_name'),
    callId: optional(fields, 'tool_use_id'),
    toolInput: isObject(fields['tool_input']) ? fields['tool_input'] : {},
    agentId: optional(fields, 'agent_id'),
    agentType: optional(fields, 'agent_type'),
    agentTranscriptPath: optional(fields, 'agent_transcript_path'),
    stopHookActive: fields['stop_hook_active'] === true,
    lastAssistantMessage: optional(fields, 'last_assistant_message'),
    backgroundTasks: Array.isArray(fields['background_tasks']) ? fields['background_tasks'] : [],
    prompt: optional(fields, 'prompt'),
  }
}

/** The fields of an input that may be broken otherwise; undefined when it is no JSON object. */
export function payloadFields(bytes: Buffer): Readonly<Record<string, unknown>> | undefined {
  try {
    return bytes.length > INPUT_LIMIT_BYTES ? undefined : parse(bytes)
  } catch (error) {
    if (error instanceof GateError) return undefined
    throw error
  }
}

/** The session id of an input that may be broken otherwise, so that its error can be filed. */
export function sessionOf(bytes: Buffer): SessionId | undefined {
  const id = payloadFields(bytes)?.['session_id']
  return typeof id === 'string' ? toSessionId(id) : undefined
}

function parse(bytes: Buffer): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (isObject(value)) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    throw bad('it is not JSON', error)
  }
  throw bad('it is not a JSON object')
}

function required(fields: Readonly<Record<string, unknown>>, name: string): string {
  const value = fields[name]
  if (typeof value === 'string' && value !== '' && !value.includes('\0')) return value
  throw bad(value === undefined ? `${name} is missing` : `${name} is not a plain text`)
}

function optional(fields: Readonly<Record<string, unknown>>, name: string): string | undefined {
  const value = fields[name]
  if (value === undefined || value === null) return undefined
  if (typeof value === 'string') return value
  throw bad(`${name} is not a text`)
}

/** Bytes of a value's JSON with every long string cut, near enough for a limit. */
function cutSize(value: unknown): number {
  if (typeof value === 'string') return Math.min(value.length, LONG_STRING_CHARS)
  if (Array.isArray(value)) return value.reduce((sum: number, item) => sum + cutSize(item) + 1, 2)
  if (!isObject(value)) return 5
  return Object.entries(value).reduce((sum, [key, item]) => sum + key.length + 4 + cutSize(item), 2)
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const bad = (why: string, cause?: unknown): GateError =>
  new GateError('GATE_BAD_PAYLOAD', `the hook input cannot be used: ${why}`, { cause })
