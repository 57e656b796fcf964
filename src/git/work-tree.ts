import { realpathSync } from 'node:fs'
import path from 'node:path'
import { isMissing } from '../core/errors.ts'
import { isSwitchedOn, settingOf } from './configuration.ts'
import { withGit } from './libgit2.ts'
import type { GitDirs } from './refs.ts'

/**
 * Why git has no work tree where a `.git` stands, by the repository's configuration: it is bare, or the work tree is
 * somewhere else, which libgit2 and the gate do not follow. Linked work trees are what they are.
 */
export function findNoWorkTree({
  root,
  gitDir,
  commonDir,
}: GitDirs & { readonly root: string }): 'bare' | 'unsupported-format' | undefined {
  if (gitDir !== commonDir) return undefined
  return withGit(gitDir, (git) => {
    const workTree = settingOf(git, 'core.worktree')
    if (workTree !== undefined)
      return isSameFolder(path.resolve(gitDir, workTree), root) ? undefined : 'unsupported-format'
    return isSwitchedOn(git, 'core.bare') ? 'bare' : undefined
  })
}

function isSameFolder(folder: string, root: string): boolean {
  try {
    return realpathSync(folder) === root
  } catch (error) {
    if (isMissing(error)) return false
    throw error
  }
}
