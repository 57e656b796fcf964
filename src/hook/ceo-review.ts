/** The /plan-ceo-review gate: a final stop of the session, or of a review's subagent, waits for ranked risks. */

import { existsSync } from 'node:fs'
import path from 'node:path'
import { isoTime } from '../core/iso-time.ts'
import { GateError } from '../core/errors.ts'
import { forPerson } from '../core/for-person.ts'
import { formatMarker } from '../core/marker.ts'
import { gateOf, isOpen, NO_GATE_RECORD, withGate, type GateRecord } from '../core/record.ts'
import { sessionKindOf } from '../core/session-kind.ts'
import {
  BLOCK_CAP,
  decideSkip,
  decideStop,
  runOf,
  SKILL,
  type Load,
  type StopDecision,
} from '../policy/ceo-review/decide.ts'
import { factsFileOf } from '../store/facts-file.ts'
import { sessionDirOf } from '../store/paths.ts'
import { readRecord, updateRecord } from '../store/record.ts'
import { currentRun, hasOpenLoad, timedOutSince, type SkillRun } from '../transcript/facts.ts'
import { isFinalTurn, turnEndOf } from '../transcript/final-turn.ts'
import { announce } from '../effects/announce.ts'
import { markerOf, NO_ANSWER, type HookAnswer, type HookCall } from './call.ts'
import { startPass } from './pass.ts'
import { standOnTranscript } from './standing.ts'
import { readFacts, saveFacts, type FactsReading } from './session-facts.ts'
import type { Search } from './ceo-review/search.ts'

/** Whose stop it is, and the transcript that alone decides about it. */
interface Speaker {
  readonly transcript: string
  /** Id of the subagent; undefined for the session itself. */
  readonly agent: string | undefined
}

export async function runCeoReview(call: HookCall): Promise<HookAnswer> {
  const speaker = speakerOf(call)
  if (speaker === undefined) return NO_ANSWER
  const reading = readSpeaker(call, speaker)
  const run = currentRun(reading.facts, SKILL)
  if (run === undefined) return standing(call, speaker, reading)
  if (!endsForGood(call, speaker, reading)) return NO_ANSWER

  const load = { key: run.key, agent: speaker.agent }
  const known = runOf(gateRecord(call), load)
  if (known !== undefined && !isOpen(known)) return standing(call, speaker, reading)
  if (await call.isTaken()) return NO_ANSWER
  const pass = startPass(call)
  const { fileKills } = await import('./kills.ts')
  const killed = await fileKills(call, timedOutSince(reading.facts, run, call.hook))
  const search = await searchFor(call, run, (known?.blocked ?? 0) > 0)
  const answer = await endStop(call, load, search)
  if (speaker.agent === undefined)
    saveFacts(factsFileOf(sessionDirOf(call.paths, call.payload.session)), reading)
  pass.end()
  return { ...answer, systemMessages: [...killed, ...answer.systemMessages] }
}

/**
 * @returns undefined for a stop that is nobody's: a payload without the subagent's transcript, and a compaction, which
 *   reports the end of a subagent that never was
 * @throws GateError GATE_TRANSCRIPT when a subagent's transcript is missing
 */
function speakerOf({ payload }: HookCall): Speaker | undefined {
  if (payload.event !== 'SubagentStop') return { transcript: payload.transcriptPath, agent: undefined }
  const transcript = payload.agentTranscriptPath ?? ''
  if (transcript === '') return undefined
  if (payload.agentType === '' && !existsSync(transcript)) return undefined
  return { transcript, agent: payload.agentId ?? path.basename(transcript, '.jsonl') }
}

function readSpeaker(call: HookCall, speaker: Speaker): FactsReading {
  const isAgent = speaker.agent !== undefined
  return readFacts({
    transcript: speaker.transcript,
    factsFile: isAgent ? undefined : factsFileOf(sessionDirOf(call.paths, call.payload.session)),
    speaker: isAgent ? 'agent' : 'main',
    unlessWithout: [SKILL],
  })
}

/** A stop of the session itself has nothing to wait for until the next load; a subagent's has a transcript of its own. */
function standing(call: HookCall, speaker: Speaker, reading: FactsReading): HookAnswer {
  const isSettled = reading.isKnownShape && !hasOpenLoad(reading.facts, SKILL)
  if (speaker.agent !== undefined || !isSettled) return NO_ANSWER
  call.sheet.add({ kind: 'field', name: 'hook_event_name', value: call.payload.event })
  return standOnTranscript(call, reading.saved.mark, SKILL)
}

/** Nobody answers a subagent. */
function endsForGood(call: HookCall, speaker: Speaker, { facts }: FactsReading): boolean {
  const kind = speaker.agent === undefined ? sessionKindOf(call.env) : 'unattended'
  return isFinalTurn(turnEndOf(facts.lastMessage, call.payload.lastAssistantMessage), kind)
}

function gateRecord(call: HookCall): GateRecord {
  const record = readRecord(call.paths, call.payload.session)
  return record === undefined ? NO_GATE_RECORD : gateOf(record, call.hook)
}

async function searchFor(call: HookCall, run: SkillRun, wasBlocked: boolean): Promise<Search> {
  if (run.atMs === undefined)
    throw new GateError('GATE_TRANSCRIPT', `the load of /${SKILL} in line ${run.line + 1} has no timestamp`)
  const { searchRankedRisks } = await import('./ceo-review/search.ts')
  return await searchRankedRisks({ call, run, loadedMs: run.atMs, wasBlocked })
}

async function endStop(call: HookCall, load: Load, search: Search): Promise<HookAnswer> {
  const decision = await decideInRecord(call, load, search)
  const markers = decision.markings.map(({ event, fields }) => markerOf(call, event, fields))
  const systemMessages = announce(call, markers)
  const blocked = markers.find((marker) => marker.event === 'blocked')
  if (blocked === undefined || search.kind !== 'unmet') {
    const isExhausted = markers.some((marker) => marker.event === 'exhausted')
    const said =
      isExhausted && search.kind === 'unmet' ? [forPerson(call.hook, exhaustedText(search.target))] : []
    return { systemMessages: [...systemMessages, ...said], notes: [] }
  }
  const { blockText } = await import('../policy/ceo-review/block-text.ts')
  const reason = `${formatMarker(blocked)}\n${blockText(search.target, search.checked)}`
  return { block: { reason }, systemMessages, notes: [] }
}

const exhaustedText = (target: string): string =>
  `the review ended after ${String(BLOCK_CAP)} blocks without ranked risks; they belong in a Findings section of ${target}`

/** The record is written before the answer, so that no block goes uncounted. */
async function decideInRecord(call: HookCall, load: Load, search: Search): Promise<StopDecision> {
  const { hook, paths, payload, deadline } = call
  const now = call.now()
  let decision: StopDecision = { gate: NO_GATE_RECORD, markings: [] }
  await updateRecord({ paths, session: payload.session, now, deadline }, (record) => {
    decision = decide(gateOf(record, hook), load, search, { event: payload.event, at: isoTime(now) })
    return { ...withGate(record, hook, decision.gate), transcript: payload.transcriptPath }
  })
  return decision
}

function decide(
  gate: GateRecord,
  load: Load,
  search: Search,
  when: { readonly event: string; readonly at: string },
): StopDecision {
  switch (search.kind) {
    case 'met':
      return decideStop(gate, load, { ...when, metBy: search.file, checked: 0 })
    case 'unmet':
      return decideStop(gate, load, { ...when, metBy: undefined, checked: search.checked.length })
    case 'skipped':
      return decideSkip(gate, search.reason, when.at)
  }
}
