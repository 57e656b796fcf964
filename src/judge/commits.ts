/** What becomes of each branch that has new commits, and how the baseline stands after it. */

import { olderOf, type Baseline, type Head } from '../core/baseline.ts'
import type { Oid } from '../core/ids.ts'
import { readOperation } from '../git/operation.ts'
import { readRef } from '../git/refs.ts'
import type { CommitsFound, JudgedTip } from '../git/survey-commits.ts'
import type { SurveyWith } from '../git/survey.ts'
import type { Pinned } from '../git/compare.ts'
import { exclusionOf } from '../policy/investigate/source-rule.ts'
import { planBranch, type BranchPlan } from '../policy/investigate/undo.ts'

/** @returns undefined when no branch and not HEAD has moved since the last check */
export async function findCommits(pinned: Pinned, surveyWith: SurveyWith): Promise<CommitsFound | undefined> {
  const { surveyCommits } = await import('../git/survey-commits.ts')
  return await surveyCommits(pinned, {
    ...surveyWith,
    isExcluded: (path, mode) => exclusionOf(path, mode) !== undefined,
  })
}

/** Whether a new commit gives a gated path content that is not old. */
export const hasFixCommits = (found: CommitsFound | undefined): boolean =>
  found?.tips.some(({ fixes }) => fixes.length > 0) === true

export interface PlannedTip {
  readonly tip: JudgedTip
  readonly plan: BranchPlan
  /** Another git is in the middle of a write: nothing moves, and the tip is judged again. */
  readonly isHeldBack: boolean
}

/** What becomes of each branch that has new commits, in the order in which they were found. */
export function planTips(
  baseline: Baseline,
  { tips }: CommitsFound,
  { isGitAtWork }: { readonly isGitAtWork: boolean },
): readonly PlannedTip[] {
  const operation = { atBaseline: baseline.operation, now: readOperation(baseline.gitDir) }
  return tips.map((tip) => {
    const plan = planBranch(
      { ...tip, older: tip.olderAncestors.get(tip.tip), hasFixes: tip.fixes.length > 0 },
      operation,
    )
    return { tip, plan, isHeldBack: isGitAtWork && isUndoing(plan) }
  })
}

const isUndoing = ({ kind }: BranchPlan): boolean => kind === 'move' || kind === 'leave-branch'

/** What a planned tip means for the checks to come, once it is carried out. */
export function baselineWith(baseline: Baseline, { tip, plan, isHeldBack }: PlannedTip): Baseline {
  if (isHeldBack) return { ...baseline, heads: '' }
  switch (plan.kind) {
    case 'let-pass':
      return plan.older === undefined
        ? { ...baseline, accepted: [...baseline.accepted, tip.tip] }
        : { ...baseline, letPass: { ...baseline.letPass, ...letPass(baseline, tip) } }
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

/** HEAD may go back to any of them, not to the tip alone. */
const letPass = (baseline: Baseline, { olderAncestors }: JudgedTip): Baseline['letPass'] =>
  Object.fromEntries([...olderAncestors].map(([commit, older]) => [commit, olderOf(baseline, older)]))

/** The baseline that planned tips start from. */
export const baselineOf = (baseline: Baseline, { heads, hasOtherTrees }: CommitsFound): Baseline => ({
  ...baseline,
  heads,
  sawOtherTrees: baseline.sawOtherTrees || hasOtherTrees,
})

/** Whether carrying it out takes commits off the branch that is checked out. */
export const isUndone = ({ tip, plan, isHeldBack }: PlannedTip): boolean =>
  isUndoing(plan) && !isHeldBack && tip.isCheckedOut

/** Where HEAD goes back to when it leaves a branch: as it stood when the gate armed, detached where that branch is gone. */
export function headBack(baseline: Baseline): Head {
  const { ref, oid } = baseline.firstHead
  const tip = ref === undefined ? undefined : readRef(baseline, ref)
  return tip === undefined ? { ref: undefined, oid } : { ref, oid: tip }
}

/** Files of a merge that was open at the baseline and that the move takes back. */
export const mergeFilesOf = (
  baseline: Baseline,
  { pinned }: JudgedTip,
  to: Oid,
): Readonly<Record<string, string>> =>
  baseline.operation === 'merge' && to === pinned ? baseline.mergeFiles : {}
