import { boundedMatch } from '../../../src/core/bounded-match.ts'
import { checkRun } from '../../../src/policy/contract/check.ts'
import { readContract } from '../../../src/policy/contract/schema.ts'
import { findLoads, readRun } from '../../../src/transcript/contract-run.ts'
import type { TranscriptEvent } from '../../../src/transcript/event.ts'
import { EXAMPLE_CONTRACT, story, type Story } from '../../helpers/contract-story.ts'

const match = boundedMatch(200)

/** The state of each item, for the last run of the skill. */
export function states(
  told: Story,
  contract: unknown = EXAMPLE_CONTRACT,
  skill = 'investigate',
  lastText?: string,
) {
  return statesOf(told.events(), contract, skill, lastText)
}

export function statesOf(
  events: readonly TranscriptEvent[],
  contract: unknown,
  skill: string,
  lastText?: string,
): Record<string, string> {
  const read = readContract(contract)
  if (read.kind !== 'contract') throw new Error(JSON.stringify(read))
  const load = findLoads(events).findLast((candidate) => candidate.skill === skill)
  if (load === undefined) throw new Error(`${skill} is not loaded`)
  const { items } = checkRun(read.contract, readRun(events, load, lastText), match)
  return Object.fromEntries(items.map(({ item, state }) => [item.id, state]))
}

/** A contract of one item, whose id is `it`. */
export const oneItem = (item: Record<string, unknown>) => ({ version: 1, items: [{ id: 'it', ...item }] })

export const start = () => story().prompts('The login fails.').loads('investigate')

export const MET = { 'debug-report': 'met', 'repro-after-fix': 'met' }
