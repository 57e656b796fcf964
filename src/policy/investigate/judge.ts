/**
 * A changed path and what history knows of its content, into a verdict. Where evidence comes from and in which order is
 * asked for is `git/evidence.ts`.
 */

import type { Evidence } from '../../core/baseline.ts'
import type { Exclusion } from './source-rule.ts'

/** Content now, as far as judging needs it. */
export interface Judged {
  readonly exclusion: Exclusion | undefined
  /** The work tree has what it had at the baseline, but for its mode. */
  readonly sameWork: boolean
  /** The index has what it had at the baseline. */
  readonly sameEntries: boolean
  /** Evidence for the work tree's content; asked for only when it changed. */
  readonly work: Evidence
  /** The weakest evidence among the changed index entries; asked for only when they changed. */
  readonly entries: Evidence
  /** The index has conflict stages. */
  readonly isUnmerged: boolean
}

export type Verdict =
  | { readonly kind: 'same' }
  | { readonly kind: 'observed'; readonly exclusion: Exclusion }
  | { readonly kind: 'fold'; readonly because: Evidence }
  | { readonly kind: 'fix-write'; readonly work: boolean; readonly entries: boolean }

/**
 * The verdict on one path. Content without evidence is a fix write; an exclusion comes before that.
 *
 * @returns for a fix write, which of the two sides has to go back
 */
export function judge(change: Judged): Verdict {
  if (change.sameWork && change.sameEntries) return { kind: 'same' }
  if (change.exclusion !== undefined) return { kind: 'observed', exclusion: change.exclusion }
  const newEntries = !change.sameEntries && change.entries === 'none'
  // A conflict that is new since the last check: its text is what a resolution goes back to.
  if (change.isUnmerged && !change.sameEntries && !newEntries)
    return { kind: 'fold', because: change.entries }
  const newWork = !change.sameWork && change.work === 'none'
  if (newWork || newEntries) return { kind: 'fix-write', work: newWork, entries: newEntries }
  return { kind: 'fold', because: change.sameWork ? change.entries : change.work }
}
