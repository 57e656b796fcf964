import path from 'node:path'
import { repoPathToText, type RepoPath } from '../core/ids.ts'
import type { Discovery } from './discover.ts'

export type MarkdownCandidates =
  /** Absolute paths in git's order; deleted files are among them. */
  | { readonly kind: 'found'; readonly files: readonly string[] }
  | { readonly kind: 'skipped'; readonly reason: 'not-owner' | 'unsupported-format' }

/** Letter case is free, as in `README.MD`. */
const PATTERNS = ['*.[mM][dD]', '*.[mM][dD][xX]', '*.[mM][aA][rR][kK][dD][oO][wW][nN]']

/**
 * The Markdown files of a repository that differ from HEAD, or are untracked and not ignored; none without a work tree.
 * Names that are not UTF-8 are left out.
 *
 * @throws GateError GATE_GIT, GATE_NATIVE
 */
export async function findMarkdownCandidates(repository: Discovery): Promise<MarkdownCandidates> {
  if (repository.kind !== 'tree') return { kind: 'found', files: [] }
  const { openRepo } = await import('./repo.ts')
  const opened = openRepo(repository.gitDir)
  if (opened.kind === 'unusable') return { kind: 'skipped', reason: opened.reason }
  const paths = await opened.repo.statusPaths(PATTERNS)
  return { kind: 'found', files: paths.flatMap((file) => textPath(repository.root, file)) }
}

function textPath(root: string, file: RepoPath): string[] {
  const text = repoPathToText(file)
  return text === undefined ? [] : [path.join(root, text)]
}
