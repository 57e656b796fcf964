/** What a final stop does with a run: leave it, record an outcome, or block it once. */

import { isoTime } from '../../core/iso-time.ts'
import type { ContractOutcome, ContractRun } from '../../core/contract.ts'
import { fixOf, missingIds, waivedIds, type RunCheck } from './check.ts'

/** Agents that have been seen running for so long count as stalled. */
const STALLED_MS = 10 * 60 * 1_000

export interface StopFacts {
  /** What the session's record has of this run. */
  readonly recorded: Pick<ContractRun, 'outcome' | 'blocked_at' | 'agents_seen_at'> | undefined
  readonly runningAgents: readonly string[]
  /** A Stop hook, ours or another one, already continued this turn. */
  readonly stopHookActive: boolean
  readonly now: Date
  /** Called only when the run has to be checked. */
  readonly check: () => RunCheck
}

export type StopDecision =
  | { readonly kind: 'leave'; readonly because: 'settled' | 'continued-by-another-hook' }
  | {
      readonly kind: 'record'
      readonly outcome: ContractOutcome
      readonly missing: readonly string[]
      readonly waived: readonly string[]
      readonly agentsSeenAt?: Readonly<Record<string, string>>
    }
  | { readonly kind: 'block'; readonly check: RunCheck }

/** What a final stop does to one run: nothing, an outcome for the record, or a block, which a run gets once. */
export function decideStop(facts: StopFacts): StopDecision {
  const { recorded } = facts
  if (recorded !== undefined && isSettled(recorded.outcome)) return { kind: 'leave', because: 'settled' }
  const wasBlocked = recorded?.blocked_at !== undefined
  if (facts.stopHookActive && !wasBlocked) return { kind: 'leave', because: 'continued-by-another-hook' }

  if (isWaiting(facts.runningAgents, recorded?.agents_seen_at, facts.now))
    return { kind: 'record', outcome: 'deferred', missing: [], waived: [], agentsSeenAt: seenAgents(facts) }

  const check = facts.check()
  const [missing, waived] = [missingIds(check), waivedIds(check)]
  if (missing.length > 0 && !wasBlocked) return { kind: 'block', check }
  return { kind: 'record', outcome: outcomeOf(check, wasBlocked), missing, waived }
}

/** An outcome that later turns of the session leave as it is. */
export const isSettled = (outcome: ContractOutcome): boolean =>
  outcome !== 'blocked' && outcome !== 'deferred'

/** What became of a run that nobody blocks now. */
export function outcomeOf(check: RunCheck, wasBlocked: boolean): ContractOutcome {
  if (missingIds(check).length > 0) return 'miss'
  if (waivedIds(check).length > 0) return 'met_waived'
  return wasBlocked ? 'met_after_block' : 'met'
}

function seenAgents({ recorded, runningAgents, now }: StopFacts): Readonly<Record<string, string>> {
  return Object.fromEntries(
    runningAgents.map((agent) => [agent, recorded?.agents_seen_at?.[agent] ?? isoTime(now)]),
  )
}

/** Whether an agent runs that has not been running for 10 minutes since the stop that first saw it. */
export function isWaiting(
  runningAgents: readonly string[],
  seenAt: Readonly<Record<string, string>> | undefined,
  now: Date,
): boolean {
  return runningAgents.some((agent) => {
    const at = seenAt?.[agent]
    return at === undefined || now.getTime() - Date.parse(at) < STALLED_MS
  })
}

/**
 * The one line that a block shows the model, and that `check` starts with.
 *
 * @param program absolute path of `gstack-skill-contract`
 */
export function unmetLine({ skill, contract, items }: RunCheck, program: string): string {
  const missing = items.filter(({ state }) => state === 'missing').map(({ item }) => item)
  const fixes = missing.map((item) => `${item.id}: ${fixOf(item)}`)
  return [
    `SKILL_CONTRACT_UNMET ${skill} (contract v${contract.version}): missing ${missing.map(({ id }) => id).join(', ')}.`,
    `Fix: ${fixes.join('; ')}.`,
    `If an item truly does not apply, run '${program.replaceAll("'", "'\\''")}' waive <item> --reason "<why>"`,
    '(this session only; counted as a miss for follow). This blocks once.',
  ].join(' ')
}
