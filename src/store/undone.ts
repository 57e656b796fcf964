/** Commits that gates have undone, per repository: their reflog entries never count as old content. */

import path from 'node:path'
import type { Oid } from '../core/ids.ts'
import { digestName } from '../native/digest.ts'
import { readRegularFile } from '../native/regular-file.ts'
import { writeAtomic } from './atomic.ts'
import { makeStateFolder } from './folder.ts'
import type { StatePaths } from './paths.ts'

/** List of the ids; its time is that of the last undo. */
export function undoneFile(paths: StatePaths, commonDir: string): string {
  const name = digestName(commonDir)
  return path.join(paths.sessions, '.undone', name)
}

/** One id per line; a line cut off by a kill is left out. */
export function readUndone(paths: StatePaths, commonDir: string): ReadonlySet<Oid> {
  const text = readRegularFile(undoneFile(paths, commonDir))?.toString('latin1') ?? ''
  return new Set(text.split('\n').filter((line) => /^[0-9a-f]{40}$/.test(line)) as Oid[])
}

/** Adds commits; called under the tree's lock, before they are undone. */
export function noteUndone(paths: StatePaths, commonDir: string, commits: readonly Oid[]): void {
  const file = undoneFile(paths, commonDir)
  makeStateFolder(path.dirname(file))
  writeAtomic(file, [...new Set([...readUndone(paths, commonDir), ...commits]), ''].join('\n'))
}
