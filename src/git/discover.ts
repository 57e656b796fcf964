/**
 * Which repository a directory belongs to, found without git and without libgit2: a hook asks this on every call. Only
 * the payload decides; `GIT_DIR` and its like in the environment do not count.
 */

import { realpathSync, statSync, type Stats } from 'node:fs'
import path from 'node:path'
import { isMissing } from '../core/errors.ts'
import { readIfThere } from './read-file.ts'

export type Discovery =
  | {
      readonly kind: 'tree'
      /** Top of the work tree, links resolved. */
      readonly root: string
      /** This work tree's own git directory. */
      readonly gitDir: string
      /** The directory that all work trees of the repository share. */
      readonly commonDir: string
    }
  | { readonly kind: 'bare' }
  | { readonly kind: 'none' }

/** @param directory absolute; a missing one belongs to its nearest existing parent */
export function discoverRepository(directory: string): Discovery {
  let folder = nearestExisting(directory)
  for (;;) {
    const found = repositoryAt(folder)
    if (found !== undefined) return found
    const parent = path.dirname(folder)
    if (parent === folder) return { kind: 'none' }
    folder = parent
  }
}

function repositoryAt(folder: string): Discovery | undefined {
  const dotGit = path.join(folder, '.git')
  const stats = statOf(dotGit)
  if (stats?.isDirectory() === true && isGitDir(dotGit)) return treeAt(folder, dotGit)
  if (stats?.isFile() === true) {
    const target = /^gitdir: (.*?)\r?\n*$/.exec(readIfThere(dotGit)?.toString('utf8') ?? '')?.[1]
    const gitDir = target === undefined ? undefined : path.resolve(folder, target)
    if (gitDir !== undefined && isGitDir(gitDir)) return treeAt(folder, gitDir)
  }
  if (!isGitDir(folder)) return undefined
  // Inside `.git` of a work tree nothing is tracked; git calls this a bare view too.
  return { kind: 'bare' }
}

function treeAt(root: string, gitDir: string): Discovery {
  const realGitDir = realpathSync(gitDir)
  const common = readIfFile(path.join(realGitDir, 'commondir'))?.trim()
  const commonDir = common === undefined ? realGitDir : realpathSync(path.resolve(realGitDir, common))
  return { kind: 'tree', root, gitDir: realGitDir, commonDir }
}

function isGitDir(folder: string): boolean {
  const isLinked = statOf(path.join(folder, 'commondir'))?.isFile() === true
  return (
    statOf(path.join(folder, 'HEAD')) !== undefined &&
    (isLinked ||
      (statOf(path.join(folder, 'objects'))?.isDirectory() === true &&
        statOf(path.join(folder, 'refs')) !== undefined))
  )
}

/** Real path of a directory, or of its nearest parent that exists. */
export function nearestExisting(directory: string): string {
  for (let folder = directory; ; folder = path.dirname(folder)) {
    try {
      const real = realpathSync(folder)
      return statSync(real).isDirectory() ? real : path.dirname(real)
    } catch (error) {
      if (!isMissing(error) || path.dirname(folder) === folder) throw error
    }
  }
}

function statOf(file: string): Stats | undefined {
  try {
    return statSync(file)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

function readIfFile(file: string): string | undefined {
  return statOf(file)?.isFile() === true ? readIfThere(file)?.toString('utf8') : undefined
}
