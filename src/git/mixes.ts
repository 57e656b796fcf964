/**
 * What git gives when it applies an old change to another old text and keeps no trace of either: an autostash, an entry of
 * the user's own work that was stashed since, `cherry-pick -n`. Replayed path by path, since there are no commits to merge.
 */

import type { Baseline } from '../core/baseline.ts'
import type { Deadline } from '../core/deadline.ts'
import type { Oid, RepoPath } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import type { GitHandle } from '../native/types.ts'
import { blobAt, isAbsentIn } from './evidence.ts'
import type { CommitInfo, Replay } from './walks.ts'

/** Old commits whose changes are tried, newest first. */
export const MOST_PICKED = 200

interface Change {
  readonly base: Oid
  readonly to: Oid
}

/**
 * @param using.onto commit whose content the changes are applied to, old where it matters
 * @param using.picked commits that may have been picked
 */
export function mixesOnto(using: {
  readonly git: GitHandle
  readonly baseline: Baseline
  readonly onto: Oid
  readonly picked: readonly CommitInfo[]
  readonly deadline: Deadline
}): Replay {
  const { git, deadline } = using
  const hasTime = (): boolean => deadline.remaining() > deadline.totalMs / 2
  return {
    gives(path, oid) {
      const ours = blobAt(git, using.onto, path)
      if (ours === undefined) return false
      if (oid === undefined) return isDeletedBy(using, path, ours)
      const applies = (change: Change): boolean => hasTime() && merge(git, ours, change) === oid
      return ownChanges(using, path).some(applies) || pickedChanges(using, path).some(applies)
    },
  }
}

/** From a commit of before to what the user had made of it. */
function ownChanges({ git, baseline }: { git: GitHandle; baseline: Baseline }, path: RepoPath): Change[] {
  const originals = baseline.originals[path] ?? []
  if (originals.length === 0) return []
  const bases = [baseline.firstHead.oid, baseline.head.oid].map((commit) => blobAt(git, commit, path))
  return [...new Set(bases)].flatMap((base) =>
    base === undefined ? [] : originals.filter((to) => to !== base).map((to) => ({ base, to })),
  )
}

function pickedChanges(
  { git, picked }: { git: GitHandle; picked: readonly CommitInfo[] },
  path: RepoPath,
): Change[] {
  return picked.flatMap(({ oid, parents: [parent] }) => {
    const base = parent === undefined ? undefined : blobAt(git, parent, path)
    const to = blobAt(git, oid, path)
    return base === undefined || to === undefined || base === to ? [] : [{ base, to }]
  })
}

/** Whether one of the picked commits deletes just this text. */
const isDeletedBy = (
  { git, picked }: { git: GitHandle; picked: readonly CommitInfo[] },
  path: RepoPath,
  ours: Oid,
): boolean =>
  picked.some(
    ({ oid, parents: [parent] }) =>
      parent !== undefined && blobAt(git, parent, path) === ours && isAbsentIn(git, oid, path),
  )

function merge(git: GitHandle, ours: Oid, { base, to }: Change): Oid | undefined {
  const [ourText, baseText, toText] = [ours, base, to].map((oid) => native().readBlob(git, oid))
  if (ourText === undefined || baseText === undefined || toText === undefined) return undefined
  const merged = native().mergeText(git, { base: baseText, ours: ourText, theirs: toText })
  return merged === undefined ? undefined : native().hashBlob(merged)
}
