import type { Deadline } from '../../core/deadline.ts'
import type { Env } from '../../core/env.ts'
import { toSessionId, type SessionId } from '../../core/ids.ts'
import type { FactSheet } from '../../store/fact-sheet.ts'
import { stateError } from '../../store/contract-record.ts'
import type { StatePaths } from '../../store/paths.ts'

export interface ContractCall {
  readonly payload: Readonly<Record<string, unknown>>
  readonly env: Env
  readonly home: string
  readonly paths: StatePaths
  readonly now: Date
  readonly deadline: Deadline
  /** Absolute folder of this package, no trailing slash. */
  readonly packageRoot: string
  /** What this call looks at, should it come to a certificate. */
  readonly sheet: FactSheet
}

/** What a Stop payload says that a contract needs. */
export interface StopPayload {
  readonly session: SessionId
  readonly transcript: string
  readonly lastText: string | undefined
  readonly stopHookActive: boolean
  /** Ids of subagents that the client says are running. */
  readonly runningAgents: readonly string[]
}

/** @throws GateError SKILL_CONTRACT_STATE_ERROR when it names no session or no transcript */
export function readStopPayload(payload: ContractCall['payload']): StopPayload {
  const session = toSessionId(payloadText(payload, 'session_id') ?? '')
  const transcript = payloadText(payload, 'transcript_path')
  if (session === undefined) throw stateError('hook input', 'session_id is missing or no safe file name')
  if (transcript === undefined || transcript.includes('\0'))
    throw stateError('hook input', 'transcript_path is missing')
  const tasks = Array.isArray(payload['background_tasks']) ? (payload['background_tasks'] as unknown[]) : []
  return {
    session,
    transcript,
    lastText: payloadText(payload, 'last_assistant_message'),
    stopHookActive: payload['stop_hook_active'] === true,
    runningAgents: tasks.flatMap(runningAgent),
  }
}

function runningAgent(task: unknown): string[] {
  if (typeof task !== 'object' || task === null) return []
  const { id, type, status } = task as Readonly<Record<string, unknown>>
  return type === 'subagent' && status === 'running' && typeof id === 'string' ? [id] : []
}

export function payloadText(payload: ContractCall['payload'], name: string): string | undefined {
  const value = payload[name]
  return typeof value === 'string' && value !== '' ? value : undefined
}
