/** What becomes of a branch that has new commits. */

import type { OpenOperation } from '../../core/baseline.ts'
import type { Oid } from '../../core/ids.ts'

export interface BranchFacts {
  /** Full name; `HEAD` when detached. */
  readonly name: string
  readonly tip: Oid
  /** Its own tip at the baseline. */
  readonly pinned: Oid | undefined
  /** That tip is still below it. */
  readonly keepsPinned: boolean
  /** The newest older commit below it; undefined on an orphan branch. */
  readonly older: Oid | undefined
  /** Where HEAD stood at the baseline. */
  readonly firstHead: Oid
  /** Its commits bring gated files content that is not old. */
  readonly hasFixes: boolean
  /** HEAD is on it. */
  readonly isCheckedOut: boolean
  /** It is another work tree's business. */
  readonly isElsewhere: boolean
}

export interface OperationFacts {
  readonly atBaseline: OpenOperation | undefined
  readonly now: OpenOperation | undefined
}

export type BranchPlan =
  /** Its commits are old from now on. */
  | { readonly kind: 'let-pass'; readonly older: Oid | undefined }
  | { readonly kind: 'move'; readonly to: Oid }
  /** An orphan branch stays as it is; HEAD goes back to the baseline's branch. */
  | { readonly kind: 'leave-branch' }
  /** Nothing may move while git is in the middle of something. */
  | { readonly kind: 'wait'; readonly operation: OpenOperation }
  /** Of another work tree, or an orphan branch that HEAD is not on: it stays. */
  | { readonly kind: 'elsewhere' }

/** A merge is concluded by one commit, which can be undone; the steps of the others depend on each other. */
const MOVES_NOTHING: ReadonlySet<OpenOperation> = new Set(['rebase', 'am', 'cherry-pick', 'revert', 'bisect'])

/** What becomes of one branch: the rules of "What becomes of commits" in docs/skill-gates.md, in their order. */
export function planBranch(branch: BranchFacts, { atBaseline, now }: OperationFacts): BranchPlan {
  const { hasFixes, isElsewhere, older, pinned, keepsPinned } = branch
  if (!hasFixes) return { kind: 'let-pass', older }
  if (now !== undefined && MOVES_NOTHING.has(now)) return { kind: 'wait', operation: now }
  // The user's own operation, finished since: its results are the user's.
  if (atBaseline !== undefined && MOVES_NOTHING.has(atBaseline)) return { kind: 'let-pass', older: undefined }
  if (isElsewhere) return { kind: 'elsewhere' }
  if (pinned !== undefined && !keepsPinned) return { kind: 'move', to: pinned }
  if (older !== undefined) return { kind: 'move', to: older }
  if (branch.name === 'HEAD') return { kind: 'move', to: branch.firstHead }
  return branch.isCheckedOut ? { kind: 'leave-branch' } : { kind: 'elsewhere' }
}
