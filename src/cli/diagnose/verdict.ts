/** What a judgement is called, and what it rests on, in words that text and JSON share. */

import type { Oid } from '../../core/ids.ts'
import { proofOf, type Judgement } from '../../judge/path.ts'
import type { NotedFold } from '../../store/ledger.ts'
import type { DiagnosedPath, TreeDiagnosis } from './tree.ts'

export type Called = 'put-back' | 'cannot-put-back' | 'fold' | 'observe'

export function calledOf({ judgement, obstacle }: DiagnosedPath): Called {
  const { verdict } = judgement
  if (verdict.kind === 'fix-write') return obstacle === undefined ? 'put-back' : 'cannot-put-back'
  return verdict.kind === 'observed' ? 'observe' : 'fold'
}

/** Whether the next check would put back or undo something, or should and cannot. */
export function wouldChange(tree: TreeDiagnosis | { readonly code: string }): boolean {
  if ('code' in tree) return false
  return (
    tree.paths.some(({ judgement }) => judgement.verdict.kind === 'fix-write') ||
    tree.tips.some(({ plan }) => plan.kind === 'move' || plan.kind === 'leave-branch')
  )
}

/** What a fold rests on. */
export function reasonOfFold(
  fold: Omit<NotedFold, 'at' | 'root' | 'path' | 'copies'>,
  stash: readonly Oid[],
): string {
  const { evidence, commit, replay } = fold
  const at = commit === undefined ? -1 : stash.indexOf(commit)
  const name =
    at === -1 ? (commit ?? '') : `stash entry ${commit ?? ''} (stash@{${String(at)}} when the gate armed)`
  switch (evidence) {
    case 'baseline':
      return 'baseline: it held this when the gate armed'
    case 'head':
      return name === '' ? 'its index entry gives it' : `commit ${name}: HEAD has it`
    case 'old-commit':
      return at === -1 ? `commit ${name}` : name
    case 'upstream':
      return `commit ${name}, which a remote has`
    case 'replay':
      if (at !== -1) return name
      return `${replay ?? 'merge'} of ${name}`
    case 'absent-there':
      return name === '' ? 'the sparse patterns leave it out' : `commit ${name}: HEAD does not have it`
    default:
      return 'unknown: it existed before, and the commit could not be found in time'
  }
}

export const reasonOf = (judgement: Judgement, stash: readonly Oid[]): string =>
  reasonOfFold(proofOf(judgement), stash)

/** What of a path has to go back. */
export function sidesOf({ verdict, findings }: Judgement): readonly ('work-tree' | 'index')[] {
  const [work, index] =
    verdict.kind === 'fix-write'
      ? [verdict.work, verdict.entries]
      : [!findings.sameWork, !findings.sameEntries]
  return [...(work ? (['work-tree'] as const) : []), ...(index ? (['index'] as const) : [])]
}
