/** Refs that keep undone commits where no reflog does. Nobody else deletes them, so we do, in good time. */

import { statSync } from 'node:fs'
import path from 'node:path'
import type { Oid } from '../core/ids.ts'
import { openOrFail } from '../git/repo.ts'
import type { GitDirs } from '../git/refs.ts'
import type { StatePaths } from '../store/paths.ts'
import { undoneFile } from '../store/undone.ts'

const FOLDER = 'refs/gstack-gates/undone/'
const KEEP_MS = 30 * 24 * 60 * 60 * 1000

/** Name of the ref that keeps an undone commit. */
export const undoneRef = (commit: Oid): string => `${FOLDER}${commit}`

/**
 * Deletes those that are over 30 days old. One whose age cannot be told stays.
 *
 * @param refs names of the repository's refs
 */
export async function sweepUndoneRefs(
  dirs: GitDirs,
  refs: readonly string[],
  { paths, now }: { paths: StatePaths; now: Date },
): Promise<void> {
  const old = refs.filter((name) => {
    const madeMs = name.startsWith(FOLDER) ? madeAtMs(dirs, name, paths) : undefined
    return madeMs !== undefined && now.getTime() - madeMs > KEEP_MS
  })
  if (old.length === 0) return
  const repo = openOrFail(dirs.gitDir)
  for (const name of old) await repo.removeRef(name)
}

/** A packed ref has no time of its own; it is no younger than the last undo in the repository. */
function madeAtMs({ commonDir }: GitDirs, name: string, paths: StatePaths): number | undefined {
  const files = [path.join(commonDir, name), undoneFile(paths, commonDir)]
  return files
    .map((file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs)
    .find((ms) => ms !== undefined)
}
