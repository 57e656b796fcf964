import path from 'node:path'
import { boundedMatch } from '../../core/bounded-match.ts'
import { GateError } from '../../core/errors.ts'
import { checkRun, fixOf, missingIds, type RunCheck } from '../../policy/contract/check.ts'
import { unmetLine } from '../../policy/contract/decide.ts'
import { readTranscriptLines } from '../../store/transcript-lines.ts'
import { findLoads, hasKnownShape, readRun } from '../../transcript/contract-run.ts'
import { readEvents, type TranscriptEvent } from '../../transcript/event.ts'
import { plainSkillName } from '../../transcript/skill-load.ts'
import type { CommandCall } from '../command.ts'
import { headOf, printAnswer, textOption, type Answer } from './answer.ts'
import { requireContract } from './find-contract.ts'

/** Longest time that one pattern of a skill may take. */
export const PATTERN_LIMIT_MS = 2_000

/** Checks the last run of a skill in a transcript against its contract. */
export async function check(call: CommandCall): Promise<number> {
  const skill = plainSkillName(textOption(call, 'skill') ?? '')
  return await printAnswer(call, skill, () => answer(call, skill))
}

async function answer(call: CommandCall, skill: string): Promise<Answer> {
  const { context } = call
  const [transcript, skillFile] = [textOption(call, 'transcript'), textOption(call, 'skillFile')]
  if (transcript === undefined || skill === '')
    throw new GateError('SKILL_CONTRACT_USAGE', 'check needs --transcript <path> and --skill <name>')

  const events = readTranscriptEvents(path.resolve(context.cwd, transcript))
  const { contract, file } = await requireContract(
    skill,
    skillFile === undefined ? undefined : path.resolve(context.cwd, skillFile),
    context,
  )
  const load = findLoads(events).findLast((candidate) => candidate.skill === skill)
  if (load === undefined)
    throw new GateError('SKILL_CONTRACT_NOT_LOADED', `${transcript} never loads the skill`)

  const result = checkRun(contract, readRun(events, load), boundedMatch(PATTERN_LIMIT_MS))
  return answerOf(result, file, `${context.packageRoot}/bin/gstack-skill-contract`)
}

/** @throws GateError SKILL_CONTRACT_STATE_ERROR, or SKILL_CONTRACT_UNKNOWN_SHAPE when it is no transcript we know */
export function readTranscriptEvents(file: string): readonly TranscriptEvent[] {
  const events = readTranscriptLines(file).lines.flatMap(readEvents)
  if (hasKnownShape(events)) return events
  throw new GateError('SKILL_CONTRACT_UNKNOWN_SHAPE', `${file}: it is no transcript of a known shape`)
}

function answerOf(result: RunCheck, skillFile: string, program: string): Answer {
  const { skill, contract, endedEarly, items } = result
  const missing = missingIds(result)
  const code = missing.length === 0 ? 'SKILL_CONTRACT_MET' : 'SKILL_CONTRACT_UNMET'
  const width = Math.max(...items.map(({ item }) => item.id.length))
  const message =
    missing.length === 0
      ? `${headOf(code, skill)} (contract v${contract.version})`
      : unmetLine(result, program)
  const rows = items.map(({ item, state, why }) => `  ${state.padEnd(7)}  ${item.id.padEnd(width)}  ${why}\n`)
  return {
    code,
    text: `${message}\n${rows.join('')}`,
    json: {
      skill,
      contract_version: contract.version,
      skill_file: skillFile,
      ...(endedEarly === undefined ? {} : { ended_early: endedEarly }),
      items: items.map(({ item, state, why }) => ({
        id: item.id,
        kind: item.kind,
        state,
        why,
        fix: fixOf(item),
      })),
      missing,
      message,
    },
  }
}
