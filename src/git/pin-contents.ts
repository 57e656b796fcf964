/** Work-tree content when a gate arms, of the paths whose stat data does not prove it. */

import type { IndexEntry, WorkContent } from '../core/baseline.ts'
import { isHeld, startHolding, type Content, type ReadFrom } from '../core/content.ts'
import type { Deadline } from '../core/deadline.ts'
import type { RepoPath, Sha256 } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import { sha256Of } from '../native/large-file.ts'
import type { AttributesView } from './attributes-view.ts'
import { readTreeFile, type TreeFile } from './tree-file.ts'

export interface PinnedContents {
  /** What is not simply what HEAD and the index say. */
  readonly work: Readonly<Record<RepoPath, WorkContent>>
  readonly rows: readonly { readonly path: RepoPath; readonly row: Buffer }[]
}

/** Files are cleaned together, since each call may start a filter driver; but not all, since there may be many. */
const GROUP_BYTES = 64 * 1024 * 1024

/** Keeps content under the digest of its bytes. @param from where it was read, if in the work tree */
export type KeepCopy = (sha256: Sha256, content: Content, from?: ReadFrom) => void

type RegularFile = Extract<TreeFile, { kind: 'file' }>

/**
 * Reads the named files; keeps a copy of each that is not what HEAD and the index both say.
 *
 * @param pin.staged paths whose entry is not HEAD's
 * @throws GateError GATE_TIMEOUT, and as {@link AttributesView.clean}
 */
export async function pinContents(
  root: string,
  paths: readonly RepoPath[],
  pin: {
    readonly view: AttributesView
    readonly index: Buffer
    readonly staged: ReadonlySet<RepoPath>
    readonly deadline: Deadline
    readonly keepCopy: KeepCopy
  },
): Promise<PinnedContents> {
  const { view, staged, deadline, keepCopy } = pin
  const entries = plainEntries(pin.index, paths)
  const work: Record<RepoPath, WorkContent> = {}
  const rows: { path: RepoPath; row: Buffer }[] = []
  const isSaid = (name: RepoPath, oid: string | undefined): boolean =>
    entries.get(name)?.oid === oid && !staged.has(name)
  let group = new Map<RepoPath, RegularFile>()
  let groupBytes = 0
  const settleGroup = async (): Promise<void> => {
    const ids = await view.clean(new Map([...group].map(([name, { content }]) => [name, content])))
    for (const [name, { content, mode, row }] of group) {
      const oid = ids.get(name)
      if (oid !== undefined && isSaid(name, oid) && entries.get(name)?.mode !== LINK_MODE) continue
      const sha256 = sha256Of(content)
      keepCopy(sha256, content, { root, path: name, row })
      work[name] = { kind: 'file', sha256, oid, mode: mode & 0o7777 }
    }
    group = new Map()
    groupBytes = 0
  }
  for (const name of paths) {
    deadline.check('reading changed files')
    const found = readOrOdd(root, name)
    if (found === undefined || found === 'odd') {
      work[name] = { kind: found ?? 'absent' }
      continue
    }
    rows.push({ path: name, row: found.row })
    if (found.kind === 'link') {
      const isEntry = entries.get(name)?.mode === LINK_MODE && isSaid(name, native().hashBlob(found.target))
      if (!isEntry) work[name] = { kind: 'link', target: found.target.toString('latin1') }
      continue
    }
    group.set(name, found)
    if (isHeld(found.content)) groupBytes += found.content.length
    if (groupBytes >= GROUP_BYTES) await settleGroup()
  }
  await settleGroup()
  return { work, rows }
}

const LINK_MODE = 0o120000

const plainEntries = (index: Buffer, paths: readonly RepoPath[]): ReadonlyMap<RepoPath, IndexEntry> =>
  new Map(
    native()
      .indexEntries(index, paths)
      .filter((entry) => entry.stage === 0 && !entry.intentToAdd)
      .map((entry) => [entry.path, entry]),
  )

/** @returns `odd` for what is neither a file nor a link, or may not be read */
function readOrOdd(root: string, name: RepoPath): TreeFile | 'odd' | undefined {
  const seen = native().statRow(root, name)
  if (seen.kind === 'absent') return undefined
  if (seen.kind !== 'file' && seen.kind !== 'link') return 'odd'
  const found = readTreeFile(root, name, seen, startHolding())
  return found === 'unreadable' ? 'odd' : found
}
