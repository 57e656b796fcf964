/** The user's own uncommitted texts that git threw away (`checkout -- f`, `reset --hard`): what git gave is old, but they are nowhere else. */

import path from 'node:path'
import type { Baseline } from '../core/baseline.ts'
import type { OwnContent } from '../core/content.ts'
import { asOid, type Oid, type RepoPath, type Sha256 } from '../core/ids.ts'
import { rawOidOf } from '../native/large-file.ts'
import type { GitHandle } from '../native/types.ts'
import type { PathState } from './compare.ts'
import { blobAt } from './evidence.ts'
import { readIfThere } from './read-file.ts'
import { readStash } from './refs.ts'

export interface DroppedText {
  readonly path: RepoPath
  /** Name of the raw copy. */
  readonly copy: Sha256
}

/**
 * @param using.readRawCopy content that was kept under its digest
 * @param folded paths whose present content is old, but no mix of what they held
 */
export function findDropped(
  using: {
    readonly git: GitHandle
    readonly baseline: Baseline
    readonly head: Oid
    readonly readRawCopy: (sha256: Sha256) => OwnContent
  },
  folded: readonly PathState[],
): readonly DroppedText[] {
  const { git, baseline, head } = using
  const keepers = [
    head,
    baseline.firstHead.oid,
    ...(Object.keys(baseline.letPass) as Oid[]),
    ...stashed(baseline),
  ]
  return folded.flatMap((state) => {
    if (baseline.dropped.includes(state.path)) return []
    return ownTexts(baseline, state).flatMap(({ oid, copy }) => {
      if (oid !== undefined && isHeld(state, oid)) return []
      const isKept = (blob: Oid | undefined): boolean =>
        blob !== undefined && keepers.some((commit) => blobAt(git, commit, state.path) === blob)
      // A commit may hold the bytes as they are, line endings that git would convert today among them.
      return isKept(oid) || isKept(rawOidOf(using.readRawCopy(copy))) ? [] : [{ path: state.path, copy }]
    })
  })
}

/** What the path held that no commit of before has, in the work tree and in the index. A conflict is git's own text. */
function ownTexts(
  { stagedBlobs }: Baseline,
  { before }: PathState,
): readonly { readonly oid: Oid | undefined; readonly copy: Sha256 }[] {
  if (before.entries.some(({ stage }) => stage !== 0)) return []
  const work = before.work.kind === 'file' ? [{ oid: before.work.oid, copy: before.work.sha256 }] : []
  const staged = before.entries.flatMap(({ oid }) => {
    const copy = stagedBlobs[oid]
    return copy === undefined || work.some((own) => own.oid === oid) ? [] : [{ oid, copy }]
  })
  return [...work, ...staged]
}

const isHeld = ({ now }: PathState, oid: Oid): boolean =>
  (now.work.kind === 'file' && now.work.oid === oid) || now.entries.some((entry) => entry.oid === oid)

/** Stash entries, and the one that a rebase makes for itself. */
function stashed(baseline: Baseline): readonly Oid[] {
  const own = readIfThere(path.join(baseline.gitDir, 'rebase-merge/autostash'))?.toString('latin1').trim()
  return [...readStash(baseline), ...(own === undefined ? [] : [asOid(own)])]
}
