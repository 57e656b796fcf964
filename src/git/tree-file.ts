import type { Content } from '../core/content.ts'
import { hasErrno } from '../core/errors.ts'
import type { RepoPath } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import { digestFileAt } from '../native/large-file.ts'
import type { PathStat } from '../native/types.ts'

export type TreeFile =
  | { readonly kind: 'file'; readonly content: Content; readonly row: Buffer; readonly mode: number }
  | { readonly kind: 'link'; readonly target: Buffer; readonly row: Buffer }

/**
 * Reads a file or link of a work tree, no link followed.
 *
 * @param seen what stood there just now
 * @param isToHold whether a file of that size is to be held in memory
 * @returns undefined when nothing is there
 */
export function readTreeFile(
  root: string,
  path: RepoPath,
  { kind, size }: Pick<PathStat, 'kind' | 'size'>,
  isToHold: (sizeBytes: number) => boolean,
): TreeFile | 'unreadable' | undefined {
  try {
    if (kind === 'file' && !isToHold(size)) return { kind: 'file', ...digestFileAt(root, path) }
    const found = native().readFileAt(root, path)
    if (found?.kind !== 'file') return found
    const { bytes, row, mode } = found
    return { kind: 'file', content: bytes, row, mode }
  } catch (error) {
    if (hasErrno(error, 'EACCES')) return 'unreadable'
    if (hasErrno(error, 'ENOENT')) return undefined
    throw error
  }
}
