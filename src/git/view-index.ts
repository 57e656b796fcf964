/** Index files of ours that say where attributes come from and how paths are stored. */

import { rmSync } from 'node:fs'
import path from 'node:path'
import type { IndexEntry } from '../core/baseline.ts'
import { GateError, messageOf } from '../core/errors.ts'
import { asRepoPath, type Oid, type RepoPath } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import type { GitHandle } from '../native/types.ts'

export interface Blob {
  readonly oid: Oid
  readonly mode: number
}

/** The commit's `.gitattributes` that hold for the paths. @throws GateError GATE_GIT */
export function findAttributeFiles(git: GitHandle, commit: Oid, paths: readonly RepoPath[]): IndexEntry[] {
  return ['', ...foldersOf(paths)].flatMap((folder) => {
    const name = asRepoPath(`${folder}.gitattributes`)
    const blob = blobAt(git, commit, name)
    return blob === undefined ? [] : [entryOf(name, blob)]
  })
}

/** Every folder that leads to one of the paths, with its slash. */
function foldersOf(paths: readonly RepoPath[]): ReadonlySet<string> {
  const folders = new Set<string>()
  for (const name of paths) {
    for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1))
      folders.add(name.slice(0, at + 1))
  }
  return folders
}

function blobAt(git: GitHandle, commit: Oid, name: RepoPath): Blob | undefined {
  try {
    return native().blobAt(git, commit, name)
  } catch (cause) {
    throw new GateError('GATE_GIT', `git ls-tree ${commit} failed: ${messageOf(cause)}`, { cause })
  }
}

/** A plain entry of stage 0. */
export const entryOf = (name: RepoPath, { oid, mode }: Blob): IndexEntry => ({
  path: name,
  stage: 0,
  mode,
  oid,
  assumeValid: false,
  skipWorktree: false,
  intentToAdd: false,
})

let views = 0

/** @returns the new file, which the caller removes */
export function writeView(scratch: string, entries: readonly IndexEntry[]): string {
  views += 1
  const file = path.join(scratch, `view-${String(process.pid)}-${String(views)}`)
  rmSync(file, { force: true })
  native().prepareIndex({ indexPath: file, tempPath: file, index: undefined, set: entries, remove: [] })
  return file
}

/**
 * One entry for each path, from the first index that has it: of a conflicted one our side, as for git. Attributes are not
 * among them, they come from the commit alone.
 */
export function storedEntries(indexes: readonly Buffer[], paths: readonly RepoPath[]): IndexEntry[] {
  const entries = new Map<RepoPath, IndexEntry>()
  for (const index of [...indexes].reverse()) {
    for (const entry of native().indexEntries(index, paths))
      if (entry.stage === 0 || entry.stage === 2) entries.set(entry.path, entryOf(entry.path, entry))
  }
  // The indexes may be of different times, and one index holds no file that is a folder of another.
  const folders = foldersOf(paths)
  return [...entries.values()].filter(
    ({ path: name }) => !folders.has(`${name}/`) && !/(?:^|\/)\.gitattributes$/.test(name),
  )
}
