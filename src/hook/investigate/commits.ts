/** Commits of the session, before its files: fix commits are undone, others are let pass. */

import type { Baseline } from '../../core/baseline.ts'
import { showPath, type Oid } from '../../core/ids.ts'
import type { Pinned } from '../../git/compare.ts'
import type { CommitsFound, JudgedTip } from '../../git/survey-commits.ts'
import { planBranch, type BranchPlan } from '../../policy/investigate/undo.ts'
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
  pinned: Pinned,
  found: CommitsFound & { readonly isGitAtWork: boolean },
): Promise<CommitsOutcome> {
  const { readOperation } = await import('../../git/operation.ts')
  const { baseline } = pinned
  const operation = { atBaseline: baseline.operation, now: readOperation(baseline.gitDir) }
  let outcome: CommitsOutcome = {
    baseline: {
      ...baseline,
      heads: found.heads,
      sawOtherTrees: baseline.sawOtherTrees || found.hasOtherTrees,
    },
    remarks: [],
    told: [],
    undone: [],
    observed: 0,
    startOver: false,
  }
  for (const tip of found.tips) {
    const plan = planBranch({ ...tip, hasFixes: tip.fixes.length > 0 }, operation)
    const mayMove = !found.isGitAtWork || (plan.kind !== 'move' && plan.kind !== 'leave-branch')
    if (!mayMove) outcome = { ...outcome, baseline: { ...outcome.baseline, heads: '' } }
    else if (await carryOut(call, { baseline, tip, plan })) outcome = withTip(outcome, tip, plan)
    else return { ...outcome, baseline, startOver: true }
  }
  return outcome
}

function withTip(outcome: CommitsOutcome, tip: JudgedTip, plan: BranchPlan): CommitsOutcome {
  const { baseline } = outcome
  const isUndone = plan.kind === 'move' || plan.kind === 'leave-branch'
  const isLeft =
    !baseline.named.includes(tip.tip) &&
    (plan.kind === 'elsewhere' || (plan.kind === 'let-pass' && tip.fixes.length > 0))
  const isNews = plan.kind === 'wait' && !baseline.named.includes(tip.tip)
  return {
    ...outcome,
    baseline: noted(baseline, tip, plan),
    remarks: [
      ...outcome.remarks,
      ...(isUndone ? undoneText(tip, plan, baseline) : []),
      ...(isNews ? [waitText(tip, plan.operation)] : []),
    ],
    told: isLeft ? [...outcome.told, leftText(tip)] : outcome.told,
    undone: isUndone && tip.isCheckedOut ? [...outcome.undone, tip.tip] : outcome.undone,
    observed: outcome.observed + (isLeft ? 1 : 0),
  }
}

async function carryOut(
  call: HookCall,
  { baseline, tip, plan }: { baseline: Baseline; tip: JudgedTip; plan: BranchPlan },
): Promise<boolean> {
  if (plan.kind !== 'move' && plan.kind !== 'leave-branch') return true
  const { leaveBranch, undoCommits } = await import('../../effects/undo.ts')
  if (plan.kind === 'leave-branch') {
    const back = baseline.firstHead.ref
    return back === undefined || tip.name === 'HEAD' ? true : await leaveBranch(baseline, tip.name, back)
  }
  const mergeFiles = baseline.operation === 'merge' && plan.to === tip.pinned ? baseline.mergeFiles : {}
  return await undoCommits(
    { dirs: baseline, name: tip.name, from: tip.tip, to: plan.to, commits: tip.commits, mergeFiles },
    call.paths,
  )
}

function noted(baseline: Baseline, tip: JudgedTip, plan: BranchPlan): Baseline {
  switch (plan.kind) {
    case 'let-pass':
      return plan.older === undefined
        ? { ...baseline, accepted: [...baseline.accepted, tip.tip] }
        : { ...baseline, letPass: { ...baseline.letPass, [tip.tip]: baseOf(baseline, plan.older) } }
    case 'wait':
      // Judged again at each check, until the operation has ended.
      return { ...baseline, heads: '', named: [...baseline.named, tip.tip] }
    case 'move':
    case 'leave-branch':
      // HEAD or the ref stands elsewhere now than when it was read.
      return { ...baseline, heads: '', named: [...baseline.named, tip.tip] }
    case 'elsewhere':
      return { ...baseline, named: [...baseline.named, tip.tip] }
  }
}

/** A commit let pass may stand on another one. */
const baseOf = (baseline: Baseline, older: Oid): Oid => baseline.letPass[older] ?? older

function undoneText(tip: JudgedTip, plan: BranchPlan, baseline: Baseline): string[] {
  const branch = tip.name.replace(/^refs\/heads\//, '')
  const lines = [
    `Undone in ${baseline.root}: commit ${tip.fixCommits.join(', ')} changed ${named(tip.fixes)} before a root cause was stated.`,
  ]
  if (plan.kind === 'move')
    lines.push(`${branch} is back at ${plan.to}; the commit is kept, see git show ${tip.tip}`)
  else lines.push(`HEAD is back on ${baseline.firstHead.ref ?? ''}; the branch ${branch} stays.`)
  if (tip.others.length > 0 && tip.isCheckedOut)
    lines.push(`Its other changes are still staged: ${named(tip.others)}`)
  return lines
}

const leftText = (tip: JudgedTip): string =>
  `/investigate gate: left as it is: commit ${tip.fixCommits.join(', ')} on ${tip.name} changed ${named(tip.fixes)}.`

const waitText = (tip: JudgedTip, operation: string): string =>
  `Commit ${tip.fixCommits.join(', ')} changed ${named(tip.fixes)} before a root cause was stated; a ${operation} is in progress, so it is judged again when that has ended.`

function named(paths: JudgedTip['fixes']): string {
  const shown = paths.slice(0, NAMED_PATHS).map(showPath).join(', ')
  return paths.length > NAMED_PATHS ? `${shown} and ${String(paths.length - NAMED_PATHS)} more` : shown
}
