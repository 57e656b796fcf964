/** Carries out the restores that a check decided on, and reports each. */

import { isoTime } from '../core/iso-time.ts'
import type { IndexEntry } from '../core/baseline.ts'
import type { OwnContent } from '../core/content.ts'
import type { Deadline } from '../core/deadline.ts'
import type { Env } from '../core/env.ts'
import type { Oid, RepoPath } from '../core/ids.ts'
import type { Wanted } from '../git/compare.ts'
import { fileOfRow } from '../native/types.ts'
import { recreateBlobs, restorePaths, writeEntries, type Restored, type WorkOrder } from '../git/restore.ts'
import type { Pass } from '../store/in-flight.ts'
import {
  isKeptFull,
  KEPT_FULL,
  keptPath,
  makeKeptDir,
  newKeptName,
  noteKept,
  type KeptCopy,
} from '../store/kept.ts'
import { uniqueName } from '../store/unique-name.ts'

export type WorkOutcome = Restored & {
  readonly path: RepoPath
  /** Absolute path of the copy of what was replaced. */
  readonly copy: string | undefined
}

/**
 * Puts files back; a failure stops none of the others.
 *
 * @throws GateError GATE_TIMEOUT when time was up before all were begun; the next check does the others
 */
export function putFilesBack(
  orders: readonly WorkOrder[],
  using: {
    readonly root: string
    /** Git directory with the objects of the root. */
    readonly gitDir: string
    readonly sessionDir: string
    readonly pass: Pass
    readonly deadline: Deadline
    readonly now: Date
  },
): readonly WorkOutcome[] {
  const { root, gitDir, sessionDir, pass, deadline, now } = using
  makeKeptDir(sessionDir)
  const isFull = isKeptFull(sessionDir)
  const plans = orders.map((order) => {
    const keptName = newKeptName(order.path, now)
    const tempName = `.gstack-gate-${uniqueName()}`
    return { order, tempName, keptName, keepPath: keptPath(sessionDir, keptName) }
  })
  pass.note({
    temporaries: plans.map(({ order, tempName, keptName }) => ({
      root,
      path: order.path,
      tempName,
      keptName,
      ...(order.now.kind === 'file' || order.now.kind === 'link'
        ? { displaces: fileOfRow(order.now.row) }
        : {}),
    })),
  })
  if (isFull) return orders.map(({ path }) => ({ kind: 'failed', why: KEPT_FULL, path, copy: undefined }))

  deadline.check('putting files back')
  const results = restorePaths(
    plans.map(({ order, tempName, keepPath }) => ({ root, ...order, tempName, keepPath })),
    deadline.remaining(),
  )
  const outcomes: WorkOutcome[] = []
  const copies: KeptCopy[] = []
  for (const [index, { order, keptName, keepPath }] of plans.entries()) {
    const done = results[index]
    if (done === undefined) continue
    const { path } = order
    const isKept = done.kind === 'restored' && done.kept
    outcomes.push({ ...done, path, copy: isKept ? keepPath : undefined })
    if (!isKept) continue
    copies.push({
      at: isoTime(now),
      name: keptName,
      root,
      path,
      why: 'put-back',
      ...(done.linkTarget === undefined ? {} : { linkTarget: done.linkTarget }),
      ...originalOf(order.wanted, gitDir),
    })
  }
  noteKept(sessionDir, copies)
  if (outcomes.length < orders.length) deadline.check('putting files back', Infinity)
  return outcomes
}

function originalOf(wanted: Wanted, gitDir: string): Pick<KeptCopy, 'original'> {
  if (wanted.kind === 'entry') return { original: { kind: 'blob', gitDir, oid: wanted.oid } }
  if (wanted.kind === 'file') return { original: { kind: 'copy', sha256: wanted.sha256 } }
  return wanted.kind === 'absent' ? { original: { kind: 'nothing' } } : {}
}

export type EntriesOutcome =
  { readonly kind: 'written'; readonly index: Buffer } | { readonly kind: 'held' | 'moved' }

/** Puts index entries back; what a kill could leave in the git directory is noted first. */
export async function putEntriesBack(
  change: {
    readonly root: string
    readonly gitDir: string
    readonly index: Buffer
    readonly storedIndex: Buffer | undefined
    readonly set: readonly IndexEntry[]
    readonly remove: readonly RepoPath[]
  },
  using: {
    readonly pass: Pass
    readonly env: Env
    readonly deadline: Deadline
    readonly scratch: string
    /** A blob that was staged when the gate armed. */
    readonly stagedBlob: (oid: Oid) => OwnContent | undefined
  },
): Promise<EntriesOutcome> {
  await recreateBlobs(change.gitDir, change.set, using.stagedBlob)
  const tempName = `gstack-gate-${uniqueName()}.tmp`
  const newIndex = { gitDir: change.gitDir, tempName, root: change.root, paths: change.remove }
  using.pass.note({ newIndex })
  return await writeEntries({
    ...change,
    ...using,
    tempName,
    noteLock(id) {
      using.pass.note({ newIndex: { ...newIndex, id } })
    },
  })
}
