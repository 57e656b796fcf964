/** Merges of old inputs that are in the work tree or index without a commit: open operations and popped stash entries. */

import path from 'node:path'
import type { Baseline, PinnedRefs } from '../core/baseline.ts'
import { type Oid } from '../core/ids.ts'
import { mergeHeadsIn } from './operation.ts'
import { readIfThere } from './read-file.ts'
import { readRef } from './refs.ts'
import { squashedCommit } from './replays.ts'
import type { OpenRepo } from './repo.ts'
import type { Replay } from './walks.ts'

/** Stash entries that are tried, newest first. */
const MOST_STASHES = 20

/**
 * @param asked.old tips of everything that counts as old or upstream
 * @param asked.mergeHeads what is merged, where the repository does not say so itself
 */
export function currentReplays(
  repo: OpenRepo,
  asked: {
    readonly baseline: Baseline
    readonly refs: PinnedRefs
    readonly head: Oid
    readonly old: readonly Oid[]
    readonly mergeHeads: readonly Oid[] | undefined
  },
): readonly Replay[] {
  const { baseline, refs, head, old } = asked
  const replays: (Replay | undefined)[] = []
  const oldInput = (name: string): Oid | undefined => {
    const oid = readRef(baseline, name)
    return oid !== undefined && repo.isReachable(oid, old) ? oid : undefined
  }
  const merged = asked.mergeHeads ?? readMergeHeads(baseline)
  if (merged.length > 0 && areReachable(repo, merged, old)) replays.push(repo.replayMerge(head, merged))
  const squashed = squashedCommit(repo, readText(baseline, 'SQUASH_MSG'), old)
  if (squashed !== undefined) replays.push(repo.replayMerge(head, [squashed]))
  for (const name of ['CHERRY_PICK_HEAD', 'REBASE_HEAD']) {
    const picked = oldInput(name)
    const commit = picked === undefined ? undefined : repo.commit(picked)
    if (commit !== undefined) replays.push(repo.replayPick(commit, head))
  }
  const reverted = oldInput('REVERT_HEAD')
  const undone = reverted === undefined ? undefined : repo.commit(reverted)
  if (undone !== undefined) replays.push(repo.replayRevert(undone, head))

  // A stash entry is a commit on the commit it was made from, so a pop is a pick of it.
  for (const entry of refs.stash.slice(0, MOST_STASHES)) {
    const commit = repo.commit(entry)
    if (commit !== undefined) replays.push(repo.replayPick(commit, head))
  }
  return replays.filter((replay) => replay !== undefined)
}

const readMergeHeads = (baseline: Baseline): readonly Oid[] => mergeHeadsIn(readText(baseline, 'MERGE_HEAD'))

const readText = ({ gitDir }: Baseline, name: string): string =>
  readIfThere(path.join(gitDir, name))?.toString('utf8') ?? ''

const areReachable = (repo: OpenRepo, commits: readonly Oid[], tips: readonly Oid[]): boolean =>
  commits.every((commit) => repo.isReachable(commit, tips))
