import type { GateErrorCode } from '../../core/errors.ts'
import type { RepoPath } from '../../core/ids.ts'
import type { KeptCopy } from '../../store/kept.ts'
import type { NotedFold } from '../../store/ledger.ts'
import type { TreeDiagnosis } from './tree.ts'

/** One root with what is kept of it, or why it cannot be judged. */
export interface DiagnosedRoot {
  readonly sessionDir: string
  readonly root: string
  readonly tree: TreeDiagnosis | { readonly code: GateErrorCode; readonly why: string }
  readonly kept: readonly KeptCopy[]
  readonly folds: readonly NotedFold[]
}

/** The newest fold of each path that does not differ any more. */
export function foldedBefore({ tree, folds }: DiagnosedRoot): DiagnosedRoot['folds'] {
  const differing = new Set('code' in tree ? [] : tree.paths.map(({ judgement }) => judgement.state.path))
  const newest = new Map(folds.map((fold) => [fold.path, fold]))
  return [...newest.values()]
    .filter(({ path }) => !differing.has(path))
    .map((fold) => ({ ...fold, copies: rawCopiesOf(folds, fold.path) }))
}

/** Raw copies of everything that the path had before its folds. */
export const rawCopiesOf = (
  folds: DiagnosedRoot['folds'],
  path: RepoPath,
): DiagnosedRoot['folds'][0]['copies'] => [
  ...new Set(folds.filter((fold) => fold.path === path).flatMap(({ copies }) => copies)),
]
