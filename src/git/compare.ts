/** What differs between a pinned baseline and the work tree now; decides nothing. */

import type { Baseline, IndexEntry, WorkContent } from '../core/baseline.ts'
import { startHolding, type Content } from '../core/content.ts'
import type { Oid, RepoPath, Sha256 } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import type { ScanRow } from '../native/types.ts'
import { sha256Of } from '../native/large-file.ts'
import type { AttributesView } from './attributes-view.ts'
import { readIndexFile } from './index-file.ts'
import type { IndexPlumbing } from './index-plumbing.ts'
import { initLibgit2 } from './libgit2.ts'
import { readTreeFile } from './tree-file.ts'

export interface Pinned {
  readonly baseline: Baseline
  readonly index: Buffer
  readonly table: Buffer
  /** Rows that the table has and its file has not. */
  readonly patch?: Buffer | undefined
}

/** Paths to look at, found from stat data and index entries alone. */
export interface TreeDelta {
  readonly paths: readonly RepoPath[]
  /** The index as it was read for this delta, with all its entries. */
  readonly index: Buffer
  /** What its file held; undefined when there was none. */
  readonly storedIndex: Buffer | undefined
  /** As {@link Baseline.indexRow}, for `index`. */
  readonly indexRow: string | undefined
  /** Index paths that the pinned index does not have. */
  readonly added: readonly RepoPath[]
  /** Pinned paths that neither index has, and that hold something else now. */
  readonly unindexed: readonly RepoPath[]
}

/** Differing paths that are known already; undefined when the tree has to be looked at after all. */
export type TakeScan = () => Promise<readonly ScanRow[] | undefined>

/** @throws GateError GATE_GIT when the index cannot be read */
export async function scanTree(
  { baseline, index, table }: Pinned,
  using: IndexPlumbing & { readonly scanned?: TakeScan | undefined },
): Promise<TreeDelta> {
  const { root, work } = baseline
  const outside = new Set(baseline.outside)
  const scan = async () => await native().scan({ root, index, table })
  const { scanned } = using
  const scanning = scanned === undefined ? scan() : scanned().then((rows) => rows ?? scan())
  const reading = readIndexFile(baseline.gitDir, { ...using, known: index, knownRow: baseline.indexRow })
  if (index.length >= LONG_SCAN_BYTES) prepareJudging(index)
  const [rows, { bytes: now, stored, row }] = await Promise.all([scanning, reading])
  const differing = now === index ? [] : native().diffIndexes(index, now)
  const contents = Object.entries(work) as [RepoPath, WorkContent][]
  const asked = [...differing, ...contents.map(([path]) => path)]
  const known = new Set(entriesByPath(index, asked).keys())
  const paths = new Set<RepoPath>()
  for (const { path } of rows) if (!outside.has(path)) paths.add(path)
  for (const path of differing) if (known.has(path) && !outside.has(path)) paths.add(path)
  const added = differing.filter((path) => !known.has(path))
  // What the index lacked has no row in the table.
  const indexed = new Set([...known, ...added])
  const unindexed = contents.flatMap(([path, content]) =>
    indexed.has(path) || holds(root, path, content) ? [] : [path],
  )
  return { paths: [...paths].sort(), index: now, storedIndex: stored, indexRow: row, added, unindexed }
}

/** A tree with so large an index is looked at for longer than it takes to prepare for what may be found. */
const LONG_SCAN_BYTES = 2 * 1024 * 1024

function prepareJudging(index: Buffer): void {
  try {
    native().parseIndex(index)
    initLibgit2()
  } catch {
    // Who needs them says what is wrong with them.
  }
}

function holds(root: string, path: RepoPath, content: WorkContent): boolean {
  const seen = native().statRow(root, path)
  if (content.kind === 'absent' || seen.kind !== content.kind) return seen.kind === content.kind
  const found = readTreeFile(root, path, seen, startHolding())
  if (found === undefined || found === 'unreadable') return false
  if (content.kind === 'link')
    return found.kind === 'link' && found.target.toString('latin1') === content.target
  return found.kind === 'file' && sha256Of(found.content) === content.sha256
}

/** What a path holds now. */
export type NowContent =
  | {
      readonly kind: 'file'
      readonly content: Content
      readonly sha256: Sha256
      /** Id of the content as git would store them; undefined when a filter driver fails. */
      readonly oid: Oid | undefined
      /** Permission bits. */
      readonly mode: number
      readonly row: Buffer
    }
  | { readonly kind: 'link'; readonly target: string; readonly row: Buffer }
  | { readonly kind: 'absent'; readonly row: Buffer }
  | { readonly kind: 'odd'; readonly what: 'directory' | 'other' | 'unreachable' | 'unreadable' }

/** Content that the path is to have: named by a pin, or simply its index entry's. */
export type Wanted = WorkContent | { readonly kind: 'entry'; readonly oid: Oid; readonly mode: number }

/** One path then and now. */
export interface PathState {
  readonly path: RepoPath
  readonly before: { readonly work: Wanted; readonly entries: readonly IndexEntry[] }
  readonly now: { readonly work: NowContent; readonly entries: readonly IndexEntry[] }
}

/** Reads the paths of a delta. */
export async function inspectPaths(
  pinned: Pinned,
  delta: TreeDelta,
  view: AttributesView,
): Promise<readonly PathState[]> {
  const before = entriesByPath(pinned.index, delta.paths)
  const now = entriesByPath(delta.index, delta.paths)
  const isToHold = startHolding()
  const read = delta.paths.map(
    (path) => [path, readNowContent(pinned.baseline.root, path, isToHold)] as const,
  )
  const same = pinnedStats(
    pinned,
    read.filter(([, work]) => isUnreadable(work)).map(([path]) => path),
  )
  const found = read.filter(([path]) => !same.has(path))
  // All at once, since each call may start a filter driver.
  const files = found.flatMap(([path, work]) => (work.kind === 'file' ? [[path, work.content] as const] : []))
  const ids = await view.clean(new Map(files))
  const states: PathState[] = []
  for (const [path, content] of found) {
    const entries = { before: before.get(path) ?? [], now: now.get(path) ?? [] }
    const wanted = pinned.baseline.work[path] ?? wantedOf(entries.before)
    const work = content.kind === 'file' ? { ...content, oid: ids.get(path) } : content
    states.push({
      path,
      before: { work: wanted, entries: entries.before },
      now: {
        work: await asCheckedOut(path, work, { view, blobs: [wanted, wantedOf(entries.now)] }),
        entries: entries.now,
      },
    })
  }
  return states
}

/** @returns a file without its id */
function readNowContent(root: string, path: RepoPath, isToHold: (sizeBytes: number) => boolean): NowContent {
  const seen = native().statRow(root, path)
  const { kind, row } = seen
  if (kind === 'absent') return { kind, row }
  if (kind === 'directory' || kind === 'other' || kind === 'unreachable') return { kind: 'odd', what: kind }
  const found = readTreeFile(root, path, seen, isToHold)
  if (found === 'unreadable') return { kind: 'odd', what: found }
  if (found === undefined) return { kind: 'absent', row: native().statRow(root, path).row }
  if (found.kind === 'link') return { kind: 'link', target: found.target.toString('latin1'), row: found.row }
  const { content, mode } = found
  return {
    kind: 'file',
    content,
    sha256: sha256Of(content),
    oid: undefined,
    mode: mode & 0o7777,
    row: found.row,
  }
}

const isUnreadable = (work: NowContent): boolean => work.kind === 'odd' && work.what === 'unreadable'

const ROW_BYTES = 48

/** Those of the paths whose size, mtime, inode and device are as they were pinned: only permissions were taken away. */
function pinnedStats({ baseline, index, table }: Pinned, paths: readonly RepoPath[]): ReadonlySet<RepoPath> {
  if (paths.length === 0) return new Set()
  const inTable = new Set(
    native()
      .indexEntries(index)
      .map((entry) => entry.path),
  )
  const places = new Map([...inTable].map((path, place) => [path, ROW_BYTES * (place + 1)]))
  const isSame = (path: RepoPath): boolean => {
    const start = places.get(path)
    if (start === undefined) return false
    const { row } = native().statRow(baseline.root, path)
    // Everything before the mode but the change time; docs/native.md has the layout.
    return [[0, 16] as const, [24, 40] as const].every(([from, to]) =>
      row.subarray(from, to).equals(table.subarray(start + from, start + to)),
    )
  }
  return new Set(paths.filter(isSame))
}

/** What git checks an entry out as is that entry's content, also where git would store it as something else by now. */
async function asCheckedOut(
  path: RepoPath,
  work: NowContent,
  { view, blobs }: { view: AttributesView; blobs: readonly Wanted[] },
): Promise<NowContent> {
  if (work.kind !== 'file') return work
  for (const blob of blobs) {
    if (blob.kind !== 'entry') continue
    if (blob.oid === work.oid || (await view.checksOutAs(path, blob, work))) return { ...work, oid: blob.oid }
  }
  return work
}

/** Content that an index entry gives: its blob as git checks it out. */
export function wantedOf(entries: readonly IndexEntry[]): Wanted {
  const entry = entries.find(({ stage }) => stage === 0)
  return entry === undefined ? { kind: 'absent' } : { kind: 'entry', oid: entry.oid, mode: entry.mode }
}

export function entriesByPath(
  index: Buffer,
  paths: readonly RepoPath[],
): ReadonlyMap<RepoPath, readonly IndexEntry[]> {
  const byPath = new Map<RepoPath, IndexEntry[]>()
  for (const entry of native().indexEntries(index, paths)) {
    const list = byPath.get(entry.path)
    if (list === undefined) byPath.set(entry.path, [entry])
    else list.push(entry)
  }
  return byPath
}
