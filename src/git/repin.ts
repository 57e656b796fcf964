/** The baseline after a check: what was accepted is what later checks compare with. */

import type { Baseline, WorkContent } from '../core/baseline.ts'
import type { RepoPath } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import { entriesByPath, type Pinned } from './compare.ts'

/** How one path stands when the check is over. */
export interface SettledPath {
  readonly path: RepoPath
  /** What is to stand in the work tree from now on: `entry` what the index entry gives, `keep` what was pinned. */
  readonly work: WorkContent | { readonly kind: 'entry' } | { readonly kind: 'keep' }
  /** Stat row of what stands there; undefined leaves the path to be looked at again. */
  readonly row: Buffer | undefined
}

/**
 * @param after.index the index that later checks compare with
 * @param after.joins whether the followed commit has the path
 */
export function repin(
  pinned: Pinned,
  after: {
    readonly index: Buffer
    readonly settled: readonly SettledPath[]
    readonly changes: Partial<Baseline>
    readonly joins: (path: RepoPath) => boolean
  },
): Pinned {
  const { baseline } = pinned
  const work = { ...baseline.work }
  for (const path of after.settled) {
    if (path.work.kind === 'entry') Reflect.deleteProperty(work, path.path)
    else if (path.work.kind !== 'keep') work[path.path] = path.work
  }
  const pinnedPaths = Object.keys(work) as RepoPath[]
  const indexed = entriesByPath(after.index, pinnedPaths)
  // Neither in the index nor in the followed commit: no longer tracked.
  for (const path of pinnedPaths)
    if (!indexed.has(path) && !after.joins(path)) Reflect.deleteProperty(work, path)

  const isSameIndex = after.index.equals(pinned.index)
  const rows = after.settled.flatMap(({ path, row }) => (row === undefined ? [] : [{ path, row }]))
  const inIndex = new Set(
    entriesByPath(
      after.index,
      rows.map(({ path }) => path),
    ).keys(),
  )
  const known = rows.filter(({ path }) => inIndex.has(path))
  return {
    index: after.index,
    ...(isSameIndex ? withRows(pinned, known) : carriedTo(after.index, pinned, known)),
    baseline: {
      ...baseline,
      ...after.changes,
      work,
      outside: isSameIndex ? baseline.outside : outsideOf(pinned, after.index, after.joins),
    },
  }
}

type Rows = readonly { readonly path: RepoPath; readonly row: Buffer }[]

function withRows({ index, table, patch }: Pinned, rows: Rows): Pick<Pinned, 'table' | 'patch'> {
  if (rows.length === 0) return { table, patch }
  const added = native().encodePatch(table, index, rows)
  return { table, patch: patch === undefined ? added : Buffer.concat([patch, added]) }
}

const carriedTo = (next: Buffer, { index, table }: Pinned, rows: Rows): Pick<Pinned, 'table'> => ({
  table: patched(native().carryTable(table, index, next), next, rows),
})

/** A table that no file holds yet, with these rows. */
export function patched(table: Buffer, index: Buffer, rows: Rows): Buffer {
  native().applyPatch(table, native().encodePatch(table, index, rows))
  return table
}

/** Index paths that are not part of the baseline: added since, by no commit that the baseline follows. */
function outsideOf(pinned: Pinned, index: Buffer, joins: (path: RepoPath) => boolean): readonly RepoPath[] {
  const differing = native().diffIndexes(pinned.index, index)
  const before = entriesByPath(pinned.index, differing)
  const now = entriesByPath(index, differing)
  const added = differing.filter((path) => now.has(path) && !before.has(path) && !joins(path))
  const gone = new Set(differing.filter((path) => !now.has(path)))
  const stays = pinned.baseline.outside.filter((path) => !gone.has(path) && !joins(path))
  return [...new Set([...stays, ...added])].sort()
}
