/** What of a work tree has to stay as it is for a check to find HEAD, refs, index and open operations as the last one did. */

import { lstatSync, readdirSync, realpathSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Baseline } from '../core/baseline.ts'
import type { FileStat } from '../core/certificate.ts'
import { isMissing } from '../core/errors.ts'
import type { RepoPath } from '../core/ids.ts'
import { entriesByPath } from './compare.ts'
import type { GitDirs } from './refs.ts'

/** Notes how a path stands; all of it, or only which file it is. */
export type Look = (
  file: string | Buffer,
  compare: 'all' | 'identity' | 'followed-identity',
) => FileStat | undefined

/** Files and folders of a work tree's own git directory that a check reads, or that tell of an operation. */
const OWN = [
  'HEAD',
  'index',
  'commondir',
  'MERGE_HEAD',
  'CHERRY_PICK_HEAD',
  'REVERT_HEAD',
  'BISECT_LOG',
  'sequencer',
  'rebase-apply',
  'rebase-merge',
  'rebase-merge/done',
]
const SHARED = ['packed-refs', 'logs/refs/stash']

/** Looks at each folder before what is in it, so that what joins it meanwhile is seen. */
export function lookAtTree(
  { root, gitDir, commonDir }: GitDirs & { readonly root: string },
  look: Look,
): void {
  for (const folder of new Set([root, gitDir, commonDir])) look(folder, 'identity')
  const dotGit = path.join(root, '.git')
  look(dotGit, isDirectory(dotGit) ? 'identity' : 'all')
  for (const name of OWN) look(path.join(gitDir, name), 'all')
  for (const name of SHARED) look(path.join(commonDir, name), 'all')
  for (const base of new Set([commonDir, gitDir])) lookBelow(Buffer.from(path.join(base, 'refs')), look)
}

/**
 * Looks at what makes a directory belong to a work tree: no other repository on the way up to its top.
 *
 * @returns false when it is not inside, or not certainly
 */
export function lookAtFolder(directory: string, root: string, look: Look): boolean {
  const real = realPathOf(directory)
  if (real === undefined) return false
  look(directory, 'followed-identity')
  look(real, 'identity')
  for (let folder = real; folder !== root; folder = path.dirname(folder)) {
    if (path.dirname(folder) === folder) return false
    for (const name of ['.git', 'HEAD']) if (look(path.join(folder, name), 'all') !== undefined) return false
  }
  return true
}

/**
 * Pinned paths that the pinned index lacks, such as a file that the user deleted and staged. They have no row in the stat
 * table, so each is looked at by itself.
 *
 * @param index the pinned index, with all its entries
 */
export function unindexedPaths({ work }: Pick<Baseline, 'work'>, index: Buffer): readonly RepoPath[] {
  const paths = Object.keys(work) as RepoPath[]
  if (paths.length === 0) return []
  const indexed = entriesByPath(index, paths)
  return paths.filter((name) => !indexed.has(name))
}

/** Names are bytes: one that is not UTF-8 has to be found again. */
function lookBelow(folder: Buffer, look: Look): void {
  if (look(folder, 'all') === undefined) return
  for (const entry of entriesOf(folder)) {
    const below = Buffer.concat([folder, Buffer.from('/'), entry.name])
    if (entry.isDirectory()) lookBelow(below, look)
    else look(below, 'all')
  }
}

function entriesOf(folder: Buffer) {
  try {
    return readdirSync(folder, { withFileTypes: true, encoding: 'buffer' })
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

function realPathOf(directory: string): string | undefined {
  try {
    const real = realpathSync(directory)
    return statSync(real).isDirectory() ? real : undefined
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const isDirectory = (file: string): boolean =>
  lstatSync(file, { throwIfNoEntry: false })?.isDirectory() === true
