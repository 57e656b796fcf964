import { boundedMatch } from '../../core/bounded-match.ts'
import type { ContractOutcome, ContractRun } from '../../core/contract.ts'
import { GateError } from '../../core/errors.ts'
import { checkRun, missingIds, waivedIds } from '../../policy/contract/check.ts'
import { isSettled, isWaiting, outcomeOf } from '../../policy/contract/decide.ts'
import { findLoads, readRun } from '../../transcript/contract-run.ts'
import type { TranscriptEvent } from '../../transcript/event.ts'
import { PATTERN_LIMIT_MS, readTranscriptEvents } from './check.ts'

export interface ReportedRun {
  readonly run: ContractRun
  /** `fixed_after_block`: met by now, but no final stop has recorded it. */
  readonly outcome: ContractOutcome | 'fixed_after_block'
  /** Blocked and never fixed, stopped again unmet, or met only through a waiver. */
  readonly isMiss: boolean
  readonly missing: readonly string[]
  readonly waived: readonly string[]
}

/** A run as it stands now: one still marked blocked or deferred is checked again where its transcript is there. */
export function reportedRun(run: ContractRun, now: Date): ReportedRun {
  const current = isSettled(run.outcome) ? run : (recheck(run, now) ?? run)
  const { outcome, missing, waived } = current
  const isMiss = outcome === 'blocked' || outcome === 'miss' || outcome === 'met_waived'
  return { run, outcome, isMiss, missing, waived }
}

type Recheck = Pick<ReportedRun, 'outcome' | 'missing' | 'waived'>

/** @returns undefined when the transcript is gone, or no longer holds the run */
function recheck(run: ContractRun, now: Date): Recheck | undefined {
  const events = eventsIfReadable(run.transcript)
  const load = findLoads(events).find(({ key, skill }) => key === run.key && skill === run.skill)
  if (load === undefined) return undefined
  const skillRun = readRun(events, load)
  const check = checkRun(run.contract, skillRun, boundedMatch(PATTERN_LIMIT_MS))
  const [missing, waived] = [missingIds(check), waivedIds(check)]
  const outcome = outcomeOf(check, run.blocked_at !== undefined)
  if (outcome === 'met_after_block') return { outcome: 'fixed_after_block', missing, waived }
  if (outcome !== 'miss') return { outcome, missing, waived }
  if (run.outcome === 'blocked') return { outcome: 'blocked', missing, waived }
  return isWaiting(skillRun.runningAgents, run.agents_seen_at, now)
    ? { outcome: 'deferred', missing: [], waived: [] }
    : { outcome, missing, waived }
}

function eventsIfReadable(file: string): readonly TranscriptEvent[] {
  try {
    return readTranscriptEvents(file)
  } catch (error) {
    if (error instanceof GateError) return []
    throw error
  }
}
