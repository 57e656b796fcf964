/** One path that differs, with the verdict that facts of git and rules of policy give together. */

import type { Oid } from '../core/ids.ts'
import type { PathState } from '../git/compare.ts'
import { haveSameFlags, type Findings } from '../git/judging.ts'
import type { Proof } from '../git/evidence.ts'
import type { FoundPath, Survey } from '../git/survey.ts'
import { judge, type Verdict } from '../policy/investigate/judge.ts'
import { exclusionOf, type Exclusion } from '../policy/investigate/source-rule.ts'

export interface Judgement {
  readonly state: PathState
  readonly findings: Findings
  readonly verdict: Verdict
}

/**
 * Judges one path. Old content that came only from a commit that was just undone goes back with it.
 *
 * @param undone tips that were taken off the branch that is checked out
 */
export function judgePath({ state, findings }: FoundPath, survey: Survey, undone: readonly Oid[]): Judgement {
  const verdict = judge({ ...findings, exclusion: exclusionFor(state, survey) })
  const leftover = verdict.kind === 'fold' ? survey.leftBy(state, undone) : undefined
  if (leftover === undefined) return { state, findings, verdict }
  return { state, findings: { ...findings, target: state.before }, verdict: leftover }
}

/** Why a path is left alone, if it is; a file that became a link is none of the links that git tracked before. */
function exclusionFor(
  { path, before, now }: PathState,
  { view, followedMode }: Pick<Survey, 'view' | 'followedMode'>,
): Exclusion | undefined {
  const mode = before.entries[0]?.mode ?? followedMode(path) ?? now.entries[0]?.mode
  return exclusionOf(path, mode) ?? (view.isGenerated(path) ? 'generated' : undefined)
}

/**
 * Whether the path's index entries have to go back. A file that goes back takes its entry along, flags included: one that
 * hides it from git may be part of the fix.
 */
export const changesIndex = ({ findings, state }: Judgement): boolean =>
  findings.sameEntries
    ? findings.target.entries === state.before.entries &&
      !haveSameFlags(state.before.entries, state.now.entries)
    : findings.target.entries !== state.now.entries

/** What a fold rests on: the work tree's content where that changed, else the index entries'. */
export const proofOf = ({ findings: { proofs, sameWork, isUnmerged, sameEntries } }: Judgement): Proof =>
  sameWork || (isUnmerged && !sameEntries) ? proofs.entries : proofs.work
