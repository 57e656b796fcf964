/**
 * What git's own merge of old inputs gives: a merge, a cherry-pick, a revert or a step of a rebase that applied cleanly
 * brings nothing of the session's own.
 */

import type { Oid } from '../core/ids.ts'
import type { EvidenceSearch } from './evidence.ts'
import type { OpenRepo } from './repo.ts'
import type { CommitInfo, Replay } from './walks.ts'

/** Old commits that are compared with one of the session's. */
const MOST_CANDIDATES = 2_000

/** @returns undefined when the commit is no replay of an old one */
export async function findOriginal(
  repo: OpenRepo,
  commit: CommitInfo,
  search: EvidenceSearch,
): Promise<Replay | undefined> {
  const [parent, other] = commit.parents
  if (parent === undefined) return undefined
  if (other !== undefined) return await repo.replayMerge(parent, other)

  const reverted = /^This reverts commit ([0-9a-f]{40})/m.exec(commit.message)?.[1]
  const undone = reverted === undefined ? undefined : await repo.commit(reverted as Oid)
  if (undone !== undefined && (await repo.isReachable(undone.oid, oldTips(search))))
    return await repo.replayRevert(undone, parent)

  const original = await findPicked(repo, commit, search)
  return original === undefined ? undefined : await repo.replayPick(original, parent)
}

/** The old commit with the same author, mail and time, which a pick and a rebase keep. */
async function findPicked(
  repo: OpenRepo,
  commit: CommitInfo,
  search: EvidenceSearch,
): Promise<CommitInfo | undefined> {
  for (const tip of new Set(oldTips(search))) {
    search.deadline.check('looking for the commit that was picked', search.deadline.totalMs / 4)
    const old = await repo.commitsSince(tip, commit.parents, MOST_CANDIDATES)
    const found = old.find(({ author, oid }) => author === commit.author && oid !== commit.oid)
    if (found !== undefined) return found
  }
  return undefined
}

/** Everything that counts as old: what was pinned, what remotes have, and what earlier checks took for old. */
const oldTips = ({ refs, upstream, baseline }: EvidenceSearch): readonly Oid[] => [
  ...refs.tips,
  ...upstream,
  ...baseline.accepted,
  ...(Object.keys(baseline.letPass) as Oid[]),
]
