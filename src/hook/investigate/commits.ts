/** Commits of the session, before its files: fix commits are undone, others are let pass. */

import { isoTime } from '../../core/iso-time.ts'
import type { Baseline } from '../../core/baseline.ts'
import { showPath, type Oid } from '../../core/ids.ts'
import type { Pinned } from '../../git/compare.ts'
import type { CommitsFound, JudgedTip } from '../../git/survey-commits.ts'
import {
  baselineOf,
  baselineWith,
  headBack,
  isUndone,
  mergeFilesOf,
  planTips,
  type PlannedTip,
} from '../../judge/commits.ts'
import type { BranchPlan } from '../../policy/investigate/undo.ts'
import type { Pass } from '../../store/in-flight.ts'
import { noteUndo } from '../../store/ledger.ts'
import { sessionDirOf } from '../../store/paths.ts'
import type { HookCall } from '../call.ts'

/** More paths than this are counted. */
const NAMED_PATHS = 20

export interface CommitsOutcome {
  /** The baseline as the rest of the check has to see it. */
  readonly baseline: Baseline
  /** What the model has to know, a line each; a block when there is one. */
  readonly remarks: readonly string[]
  /** Commits of another work tree, or of the user's own operation, that were left. */
  readonly observed: number
  /** What the person should know of commits that were left, a line each. */
  readonly told: readonly string[]
  /** Tips that were taken off the branch that is checked out. */
  readonly undone: readonly Oid[]
  /** A branch moved while it was judged. */
  readonly startOver: boolean
}

/** Carries out what becomes of each branch that has new commits. */
export async function settleCommits(
  call: HookCall,
  { baseline }: Pinned,
  found: CommitsFound & { readonly isGitAtWork: boolean; readonly pass: Pass },
): Promise<CommitsOutcome> {
  let outcome: CommitsOutcome = {
    baseline: baselineOf(baseline, found),
    remarks: [],
    told: [],
    undone: [],
    observed: 0,
    startOver: false,
  }
  for (const planned of planTips(baseline, found, found)) {
    if (planned.isHeldBack) outcome = { ...outcome, baseline: baselineWith(outcome.baseline, planned) }
    else if (await carryOut(call, { baseline, planned, pass: found.pass }))
      outcome = withTip(outcome, planned)
    else return { ...outcome, baseline, startOver: true }
  }
  return outcome
}

function withTip(outcome: CommitsOutcome, planned: PlannedTip): CommitsOutcome {
  const { baseline } = outcome
  const { tip, plan } = planned
  const isLeft =
    !baseline.named.includes(tip.tip) &&
    (plan.kind === 'elsewhere' || (plan.kind === 'let-pass' && tip.fixes.length > 0))
  const isNews = plan.kind === 'wait' && !baseline.named.includes(tip.tip)
  return {
    ...outcome,
    baseline: baselineWith(baseline, planned),
    remarks: [
      ...outcome.remarks,
      ...(plan.kind === 'move' || plan.kind === 'leave-branch' ? undoneText(tip, plan, baseline) : []),
      ...(isNews ? [waitText(tip, plan.operation)] : []),
    ],
    told: isLeft ? [...outcome.told, leftText(tip, plan)] : outcome.told,
    undone: isUndone(planned) ? [...outcome.undone, tip.tip] : outcome.undone,
    observed: outcome.observed + (isLeft ? 1 : 0),
  }
}

async function carryOut(
  call: HookCall,
  { baseline, planned, pass }: { baseline: Baseline; planned: PlannedTip; pass: Pass },
): Promise<boolean> {
  const { tip, plan } = planned
  if (plan.kind !== 'move' && plan.kind !== 'leave-branch') return true
  const { leaveBranch, undoCommits } = await import('../../effects/undo.ts')
  const order = { dirs: baseline, root: baseline.root, lines: undoneText(tip, plan, baseline) }
  if (plan.kind === 'leave-branch')
    return leaveBranch({ ...order, from: tip.name, to: headBack(baseline) }, pass)
  const mergeFiles = mergeFilesOf(baseline, tip, plan.to)
  const moved = undoCommits(
    { ...order, name: tip.name, from: tip.tip, to: plan.to, commits: tip.commits, mergeFiles },
    call.paths,
    pass,
  )
  if (moved)
    noteUndo(sessionDirOf(call.paths, call.payload.session), {
      at: isoTime(call.now()),
      root: baseline.root,
      ref: tip.name,
      from: tip.tip,
      to: plan.to,
      commits: tip.commits,
      paths: tip.fixes,
    })
  return moved
}

function undoneText(tip: JudgedTip, plan: BranchPlan, baseline: Baseline): string[] {
  const branch = branchOf(tip.name)
  const lines = [
    `Undone in ${baseline.root}: commit ${tip.fixCommits.join(', ')} changed ${named(tip.fixes)} before a root cause was stated.`,
  ]
  if (plan.kind === 'move')
    lines.push(`${branch} is back at ${plan.to}; the commit is kept, see git show ${tip.tip}`)
  if (plan.kind === 'leave-branch') {
    const { ref, oid } = headBack(baseline)
    const back = ref === undefined ? `at ${oid}` : `on ${branchOf(ref)}`
    lines.push(`HEAD is back ${back}; the branch ${branch} keeps the commit.`)
  }
  if (tip.others.length > 0 && tip.isCheckedOut)
    lines.push(`Its other changes are still staged: ${named(tip.others)}`)
  return lines
}

function leftText(tip: JudgedTip, plan: BranchPlan): string {
  const why =
    plan.kind === 'elsewhere'
      ? 'the branch belongs to another work tree, or HEAD is not on it'
      : 'the operation that made it was open when the gate armed'
  return `commit ${tip.fixCommits.join(', ')} on ${branchOf(tip.name)} changed ${named(tip.fixes)} before a root cause was stated, and is left as it is: ${why}.`
}

const waitText = (tip: JudgedTip, operation: string): string =>
  `Commit ${tip.fixCommits.join(', ')} changed ${named(tip.fixes)} before a root cause was stated; a ${operation} is in progress, so it is judged again when that has ended.`

const branchOf = (ref: string): string => ref.replace(/^refs\/heads\//, '')

function named(paths: JudgedTip['fixes']): string {
  const shown = paths.slice(0, NAMED_PATHS).map(showPath).join(', ')
  return paths.length > NAMED_PATHS ? `${shown} and ${String(paths.length - NAMED_PATHS)} more` : shown
}
