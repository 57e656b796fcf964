import { isoTime } from '../../core/iso-time.ts'
import { boundedMatch } from '../../core/bounded-match.ts'
import type { Contract, ContractRun } from '../../core/contract.ts'
import { GateError } from '../../core/errors.ts'
import type { SessionId } from '../../core/ids.ts'
import { sessionKindOf } from '../../core/session-kind.ts'
import { checkRun, type RunCheck } from '../../policy/contract/check.ts'
import { wordsOfOutput } from '../../policy/contract/specialists.ts'
import { condenseEvents } from '../../transcript/condense.ts'
import { packEvents } from '../../transcript/packed-event.ts'
import { findContract } from '../../policy/contract/find.ts'
import { contractSessions, readContractRecord, stateError } from '../../store/contract-record.ts'
import { readSavedReading, saveReading, type SavedReading } from '../../store/contract-reading.ts'
import type { TranscriptMark } from '../../store/transcript-file.ts'
import { claudeConfigDir, type StatePaths } from '../../store/paths.ts'
import {
  agentsBefore,
  findLoads,
  readRun,
  type SkillLoad,
  type SkillRun,
} from '../../transcript/contract-run.ts'
import type { InstalledSkill } from '../../store/skills.ts'
import type { TranscriptEvent } from '../../transcript/event.ts'
import { lastMessageOf } from '../../transcript/last-message.ts'
import { plainSkillName } from '../../transcript/skill-load.ts'
import { isFinalTurn, turnEndOf } from '../../transcript/final-turn.ts'
import type { ContractCall, StopPayload } from './call.ts'
import { readSession } from './session.ts'

/** Longest time that one pattern of a skill may take. */
const PATTERN_LIMIT_MS = 500

/** A session's reading is saved again when so much more was read. */
const SAVED_EACH_BYTES = 64 * 1024

/** A final stop of a session whose newest contract it may have to meet. */
export interface FinalStop {
  readonly kind: 'final'
  readonly session: SessionId
  readonly transcript: string
  readonly run: SkillRun
  readonly contract: Contract
  readonly skillFile: string
  readonly recorded: ContractRun | undefined
  readonly runningAgents: readonly string[]
  readonly stopHookActive: boolean
  readonly check: () => RunCheck
}

/** Where no skill was loaded the stop is not worth a line; `readTo` is then how far that is known. */
export type Nothing =
  | { readonly kind: 'nothing'; readonly because: 'no-contract' | 'not-final' }
  | { readonly kind: 'nothing'; readonly because?: undefined; readonly readTo: TranscriptMark }

export async function findFinalStop(
  call: ContractCall,
  payload: StopPayload,
  paths: StatePaths,
): Promise<FinalStop | Nothing> {
  const { deadline, env } = call
  const saved = readSavedReading(paths, payload.session)
  const read = (from?: SavedReading) => readSession(payload.transcript, payload.lastText, deadline, from)
  let reading = await read(saved)
  deadline.check('the transcript')
  let loads = findLoads(reading.events)
  if (loads.length === 0) return { kind: 'nothing', readTo: reading.mark }

  const declared = await newestContract(loads, call, paths)
  deadline.check('the installed skills')
  if (declared === undefined) return { kind: 'nothing', because: 'no-contract' }
  const words = wordsOfOutput(declared.contract)
  if (saved !== undefined && !words.every((word) => saved.words.includes(word))) {
    reading = await read()
    loads = findLoads(reading.events)
  }
  const load = loads.find(({ key }) => key === declared.load.key)
  if (load === undefined) return { kind: 'nothing', because: 'no-contract' }
  const { events, whole, lines, mark } = reading
  if (reading.readBytes > SAVED_EACH_BYTES)
    saveReading(
      paths,
      payload.session,
      { mark, lines, words, events: packEvents(condenseEvents(whole, words)) },
      call.now,
    )
  const lastMessage = lastMessageOf(events)
  if (!isFinalTurn(turnEndOf(lastMessage, payload.lastText), sessionKindOf(env)))
    return { kind: 'nothing', because: 'not-final' }

  const { contract, file } = declared
  const run = readRun(events, load, payload.lastText, loads)
  return {
    kind: 'final',
    session: payload.session,
    transcript: payload.transcript,
    run,
    contract,
    skillFile: file,
    recorded: findRecorded(paths, payload.session, load, events),
    runningAgents: runningAgents(events, run, payload),
    stopHookActive: payload.stopHookActive,
    check: () => checkRun(contract, run, boundedMatch(Math.min(PATTERN_LIMIT_MS, deadline.remaining()))),
  }
}

/** The newest load of a skill that declares a contract; a load of a skill without one hides none before it. */
async function newestContract(
  loads: readonly SkillLoad[],
  call: ContractCall,
  paths: StatePaths,
): Promise<{ load: SkillLoad; contract: Contract; file: string } | undefined> {
  const skills = await readSkillsOf(loads, call, paths)
  let broken: GateError | undefined
  for (const load of loads.toReversed()) {
    const found = findContract(skills, load.skill)
    if (found.kind === 'contract') return { load, contract: found.contract, file: found.file }
    if (found.kind === 'invalid') throw stateError(found.file, found.why)
    if (found.kind === 'broken') broken ??= stateError(found.file, found.why)
  }
  if (broken !== undefined) throw broken
  return undefined
}

/** A folder of a skill's name comes before a name that a frontmatter gives, so that others are read only without one. */
async function readSkillsOf(
  loads: readonly SkillLoad[],
  call: ContractCall,
  paths: StatePaths,
): Promise<readonly InstalledSkill[]> {
  const { readInstalledSkills, skillCacheFile } = await import('../../store/skills.ts')
  const wanted = new Set(loads.map(({ skill }) => plainSkillName(skill)))
  const read = (isNeeded?: (folder: string) => boolean) =>
    readInstalledSkills(
      claudeConfigDir(call.env, call.home),
      skillCacheFile(paths.root),
      call.now.getTime(),
      isNeeded,
    )
  const found = await read((folder) => wanted.has(plainSkillName(folder)))
  const folders = new Set(found.map(({ name }) => plainSkillName(name)))
  return [...wanted].every((skill) => folders.has(skill)) ? found : await read()
}

/**
 * What is known of a run. A forked session copies the records of the one it came from, times and all, and goes on after
 * that one's last stop: what became of the run there stays.
 */
function findRecorded(
  paths: StatePaths,
  session: SessionId,
  load: SkillLoad,
  events: readonly TranscriptEvent[],
): ContractRun | undefined {
  const own = readContractRecord(paths, session)
  if (own !== undefined) return own.runs.find(({ key }) => key === load.key)
  const lastAtMs = events.findLast(({ atMs }) => atMs !== undefined)?.atMs
  if (load.atMs === undefined || lastAtMs === undefined) return undefined
  const loadedAt = isoTime(new Date(load.atMs))
  for (const other of contractSessions(paths)) {
    const run = readUnlessBroken(paths, other)?.runs.find(({ key }) => key === load.key)
    const isCopied = run?.loaded_at === loadedAt && run.skill === load.skill
    if (isCopied && Date.parse(run.recorded_at) < lastAtMs) return run
  }
  return undefined
}

/** A broken record of another session is that session's error. */
function readUnlessBroken(paths: StatePaths, session: SessionId) {
  try {
    return readContractRecord(paths, session)
  } catch (error) {
    if (error instanceof GateError) return undefined
    throw error
  }
}

function runningAgents(
  events: readonly TranscriptEvent[],
  run: SkillRun,
  payload: StopPayload,
): readonly string[] {
  const earlier = agentsBefore(events, run.load)
  const named = payload.runningAgents.filter((agent) => !earlier.has(agent))
  return [...new Set([...run.runningAgents, ...named])]
}
