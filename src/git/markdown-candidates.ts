import { repoPathToText } from '../core/ids.ts'
import { discoverRepository } from './discover.ts'

export type MarkdownCandidates =
  | {
      readonly kind: 'found'
      /** Top of the work tree, links resolved. */
      readonly root: string
      /** Relative to the root, in git's order; deleted files are among them. */
      readonly files: readonly string[]
    }
  /** There is no work tree. */
  | { readonly kind: 'none' }
  | { readonly kind: 'skipped'; readonly root: string; readonly reason: 'not-owner' | 'unsupported-format' }

/** Letter case is free, as in `README.MD`. */
const PATTERNS = ['*.[mM][dD]', '*.[mM][dD][xX]', '*.[mM][aA][rR][kK][dD][oO][wW][nN]']

/**
 * The Markdown files of a directory's repository that differ from HEAD, or are untracked and not ignored. Names that
 * are not UTF-8 are left out.
 *
 * @throws GateError GATE_GIT, GATE_NATIVE
 */
export async function findMarkdownCandidates(directory: string): Promise<MarkdownCandidates> {
  const found = discoverRepository(directory)
  if (found.kind !== 'tree') return { kind: 'none' }
  const { openRepo } = await import('./repo.ts')
  const opened = await openRepo(found.gitDir)
  if (opened.kind === 'unusable') return { kind: 'skipped', root: found.root, reason: opened.reason }
  const paths = await opened.repo.statusPaths(PATTERNS)
  return { kind: 'found', root: found.root, files: paths.flatMap((file) => repoPathToText(file) ?? []) }
}
