/**
 * The Stop of a session that loaded a skill with a contract: blocks once when something is missing. It never blocks
 * because it broke: what goes wrong is one line on stderr, and the stop goes through.
 */

import { isoTime } from '../core/iso-time.ts'
import type { ContractRun } from '../core/contract.ts'
import { GateError, isSystemError, messageOf } from '../core/errors.ts'
import { toSessionId } from '../core/ids.ts'
import { encodeValue } from '../core/marker.ts'
import { decideStop, unmetLine, type StopDecision } from '../policy/contract/decide.ts'
import { missingIds, waivedIds } from '../policy/contract/check.ts'
import { transcriptFact } from '../store/certificate.ts'
import { countUnknownShape, writeContractRun } from '../store/contract-record.ts'
import type { StatePaths } from '../store/paths.ts'
import type { TranscriptMark } from '../store/transcript-file.ts'
import { appendToLog } from '../store/trace-log.ts'
import type { HookAnswer } from './call.ts'
import { payloadText, readStopPayload, type ContractCall } from './contract/call.ts'
import { findFinalStop, type FinalStop } from './contract/final-stop.ts'

const LOG = 'skill-contract'

export interface ContractAnswer extends Pick<HookAnswer, 'holds'> {
  /** The JSON of a block. */
  readonly stdout?: string
  /** The one line of an error. */
  readonly stderr?: string
}

/** What every load of a skill has in its record. */
const WORDS_OF_LOADS = ['"Skill"', 'command-name', 'SKILL.md']

export async function runContractHook(call: ContractCall): Promise<ContractAnswer> {
  const { payload, paths } = call
  try {
    if (payload['hook_event_name'] === 'SubagentStop' || payload['agent_id'] !== undefined) return {}
    const stop = await findFinalStop(call, readStopPayload(payload), paths)
    if (stop.kind !== 'nothing') return judge(call, paths, stop)
    return stop.because === undefined ? standing(call, stop.readTo) : noteAllowed(call, paths, stop.because)
  } catch (error) {
    return { stderr: failOpen(error, call, paths) }
  }
}

/** Nothing to check until a skill is loaded. */
function standing({ payload, sheet }: ContractCall, readTo: TranscriptMark): ContractAnswer {
  const file = payloadText(payload, 'transcript_path') ?? ''
  const found = transcriptFact(file, readTo, { words: WORDS_OF_LOADS, forbidsCause: false })
  if (found === undefined) return {}
  sheet.add({ kind: 'field', name: 'hook_event_name', value: payloadText(payload, 'hook_event_name') }, found)
  return { holds: 'idle' }
}

function judge(call: ContractCall, paths: StatePaths, stop: FinalStop): ContractAnswer {
  const decision = decideStop({ ...stop, now: call.now })
  call.deadline.check('the contract')
  if (decision.kind === 'leave') return noteAllowed(call, paths, decision.because)

  const run = recordOf(decision, stop, call.now)
  writeContractRun(paths, stop.session, run)
  log(call, paths, [
    ['event', run.outcome],
    ['skill', run.skill],
    ['missing', run.missing.join(',')],
    ['waived', run.waived.join(',')],
  ])
  if (decision.kind !== 'block') return {}
  const reason = unmetLine(decision.check, `${call.packageRoot}/bin/gstack-skill-contract`)
  return { stdout: `${JSON.stringify({ decision: 'block', reason })}\n` }
}

function recordOf(
  decision: Exclude<StopDecision, { kind: 'leave' }>,
  { run, contract, skillFile, transcript, recorded }: FinalStop,
  now: Date,
): ContractRun {
  const { skill, key, atMs } = run.load
  const found =
    decision.kind === 'block'
      ? {
          outcome: 'blocked' as const,
          missing: missingIds(decision.check),
          waived: waivedIds(decision.check),
        }
      : decision
  const blockedAt = decision.kind === 'block' ? isoTime(now) : recorded?.blocked_at
  const seen = decision.kind === 'record' ? decision.agentsSeenAt : undefined
  return {
    key,
    skill,
    skill_file: skillFile,
    transcript,
    contract,
    outcome: found.outcome,
    missing: found.missing,
    waived: found.waived,
    ...(atMs === undefined ? {} : { loaded_at: isoTime(new Date(atMs)) }),
    recorded_at: isoTime(now),
    ...(blockedAt === undefined ? {} : { blocked_at: blockedAt }),
    ...(seen === undefined ? {} : { agents_seen_at: seen }),
  }
}

function noteAllowed(call: ContractCall, paths: StatePaths, reason: string): ContractAnswer {
  log(call, paths, [
    ['event', 'allowed'],
    ['reason', reason],
  ])
  return {}
}

/** @returns the line for stderr; what cannot be written down any more is said in it alone */
function failOpen(error: unknown, call: ContractCall, paths: StatePaths): string {
  const cause = isStateError(error) ? messageOf(error) : `${fileOf(error, call)}: ${messageOf(error)}`
  try {
    if (error instanceof GateError && error.code === 'SKILL_CONTRACT_UNKNOWN_SHAPE')
      countUnknownShape(paths, call.now)
    log(call, paths, [
      ['event', 'error'],
      ['code', error instanceof GateError ? error.code : 'GATE_UNEXPECTED'],
      ['why', cause],
    ])
  } catch (second) {
    if (!isStateError(second) && !isSystemError(second)) throw second
  }
  return `gstack-skill-contract: SKILL_CONTRACT_STATE_ERROR ${cause}; stop allowed, miss not recorded (see docs/skill-routing-and-contracts.md#state-error)\n`
}

/** Messages of these start with the path they are about. */
const isStateError = (error: unknown): boolean =>
  error instanceof GateError && error.code.startsWith('SKILL_CONTRACT_')

function fileOf(error: unknown, call: ContractCall): string {
  if (error instanceof Error && 'path' in error && typeof error.path === 'string') return error.path
  return payloadText(call.payload, 'transcript_path') ?? 'hook input'
}

function log(
  call: ContractCall,
  paths: StatePaths,
  fields: readonly (readonly [key: string, value: string])[],
): void {
  const session = toSessionId(payloadText(call.payload, 'session_id') ?? '') ?? 'unknown'
  const rest = fields
    .filter(([, value]) => value !== '')
    .map(([key, value]) => `${key}=${encodeValue(value)}`)
  appendToLog(paths.logs, LOG, [[isoTime(call.now), `session=${session}`, ...rest].join(' ')])
}
