/** What the session has said: the run that is held, and whether its cause is stated for this call. */

import { setTimeout as sleep } from 'node:timers/promises'
import { GateError } from '../../core/errors.ts'
import { gateOf, type GateRecord, type SessionRecord } from '../../core/record.ts'
import { findCause, type CauseFinding } from '../../policy/investigate/cause.ts'
import { factsFileOf } from '../../store/facts-file.ts'
import { sessionDirOf } from '../../store/paths.ts'
import type { TranscriptMark } from '../../store/transcript-file.ts'
import {
  currentRun,
  hasOpenLoad,
  lineOfCall,
  NO_FACTS,
  timedOutSince,
  type SessionFacts,
  type SkillRun,
} from '../../transcript/facts.ts'
import type { TimedOutHook } from '../../transcript/timed-out.ts'
import type { HookCall } from '../call.ts'
import { agentTranscript, readFacts, saveFacts, type FactsReading } from '../session-facts.ts'
import { elapsedMs } from '../../native/clock.ts'

/** Longest wait for the call's own record, which the client writes beside the hook. */
const RECORD_WAIT_MS = 250
const POLL_MS = 10

const SKILL = 'investigate'

/** What the main transcript says of the run of /investigate that it is in. */
export interface RunReading {
  /** The newest load, counting a Skill call that a hook saw before its record; undefined without any. */
  readonly load: SkillRun | undefined
  /** Hooks of this gate that the client killed since. */
  readonly timedOut: readonly TimedOutHook[]
  readonly facts: SessionFacts
  /** How far the transcript was read. */
  readonly mark: TranscriptMark
  /** Without another word of the skill's name the transcript will go on saying the same of its loads. */
  readonly isSettled: boolean
}

/** @throws GateError GATE_TRANSCRIPT */
export function readRun(call: HookCall, record: SessionRecord | undefined): RunReading {
  const { facts, isKnownShape, saved } = readMain(call, record)
  const announced = record === undefined ? undefined : lastAnnounced(gateOf(record, call.hook), facts)
  const load =
    announced === undefined ? currentRun(facts, SKILL) : { ...NO_LOAD, key: announced, line: facts.line }
  return {
    load,
    timedOut: load === undefined ? [] : timedOutSince(facts, load, call.hook),
    facts,
    mark: saved.mark,
    isSettled: isKnownShape && announced === undefined && !hasOpenLoad(facts, SKILL),
  }
}

const NO_LOAD: SkillRun = {
  skill: SKILL,
  key: '',
  line: 0,
  atMs: undefined,
  via: 'skill-tool',
  lookedAtLine: undefined,
  statements: [],
  written: [],
  markdownRead: [],
}

/** An announced Skill call of which the transcript has neither the load nor its failure yet. */
function lastAnnounced(gate: GateRecord, facts: SessionFacts): string | undefined {
  const seen = new Set([...(facts.runs[SKILL] ?? []).map(({ key }) => key), ...facts.failedLoads])
  const key = gate.announced?.at(-1)
  return key === undefined || seen.has(key) || lineOfCall(facts, key) !== undefined ? undefined : key
}

function readMain(call: HookCall, record: SessionRecord | undefined): FactsReading {
  const { payload, paths } = call
  const isKnown = record !== undefined && gateOf(record, call.hook).runs.length > 0
  const factsFile = isKnown ? factsFileOf(sessionDirOf(paths, payload.session)) : undefined
  const held = record === undefined ? undefined : gateOf(record, call.hook).runs.at(-1)
  const reading = readFacts({
    transcript: payload.transcriptPath,
    factsFile,
    speaker: 'main',
    ...(isKnown ? {} : { unlessWithout: [SKILL] }),
    ...(held === undefined
      ? {}
      : {
          startFrom: {
            ...NO_FACTS,
            runs: { [SKILL]: [{ ...NO_LOAD, key: held.loads.at(-1) ?? '', line: -1 }] },
          },
        }),
  })
  if (factsFile !== undefined) saveFacts(factsFile, reading)
  return reading
}

/**
 * Whether the cause is stated for this call.
 *
 * @param wait waits until the call's own record is in the file, so that the text before it is too
 */
export async function readCause(
  call: HookCall,
  record: SessionRecord,
  { wait }: { wait: boolean },
): Promise<CauseFinding> {
  const giveUpAtMs = elapsedMs() + (wait ? Math.min(RECORD_WAIT_MS, call.deadline.remaining() / 2) : 0)
  for (;;) {
    const main = causeOfMain(call, record)
    const found = main.cause.kind === 'accepted' ? main : (causeOfAgent(call, record) ?? main)
    if (found.cause.kind === 'accepted' || found.sawCall || elapsedMs() >= giveUpAtMs) return found.cause
    await sleep(POLL_MS)
  }
}

interface Seen {
  readonly cause: CauseFinding
  /** The call's own record is in the file, or there is no call to wait for. */
  readonly sawCall: boolean
}

function causeOfMain(call: HookCall, record: SessionRecord): Seen {
  const { payload } = call
  const { load: run, facts } = readRun(call, record)
  const isOwnCall = payload.agentId === undefined
  const line = payload.callId === undefined || !isOwnCall ? undefined : lineOfCall(facts, payload.callId)
  const isStop = payload.callId === undefined
  return {
    cause:
      run === undefined
        ? { kind: 'none' }
        : findCause(run, line, isStop && isOwnCall ? payload.lastAssistantMessage : undefined),
    sawCall: isStop || line !== undefined,
  }
}

/** A subagent's own reply counts for its own calls, after a look of its own. */
function causeOfAgent(call: HookCall, record: SessionRecord): Seen | undefined {
  const { payload } = call
  if (payload.agentId === undefined) return undefined
  const { load } = readRun(call, record)
  if (load === undefined) return undefined
  try {
    const seeded = { ...NO_FACTS, runs: { [SKILL]: [{ ...NO_LOAD, key: load.key, line: -1 }] } }
    const { facts } = readFacts({
      transcript: agentTranscript(payload.transcriptPath, payload.agentId),
      factsFile: undefined,
      speaker: 'agent',
      startFrom: seeded,
      ...(load.atMs === undefined ? {} : { sinceMs: load.atMs }),
    })
    const run = currentRun(facts, SKILL)
    const line = payload.callId === undefined ? undefined : lineOfCall(facts, payload.callId)
    if (run === undefined) return undefined
    return { cause: findCause(run, line, undefined), sawCall: line !== undefined }
  } catch (error) {
    // The subagent's file is written a moment after its first call.
    if (error instanceof GateError && error.code === 'GATE_TRANSCRIPT')
      return { cause: { kind: 'none' }, sawCall: false }
    throw error
  }
}
