/**
 * What git's own merge of old inputs gives: a merge, a cherry-pick, a revert or a step of a rebase that applied cleanly
 * brings nothing of the session's own.
 */

import type { Oid } from '../core/ids.ts'
import { oldTips, type EvidenceSearch } from './evidence.ts'
import { readReflog } from './refs.ts'
import type { OpenRepo } from './repo.ts'
import type { CommitInfo, Replay } from './walks.ts'

/** Old commits that are compared with one of the session's. */
const MOST_CANDIDATES = 2_000
/** Entries of HEAD's log that are looked at, newest first. */
const MOST_LOGGED = 200

/**
 * @param isClean whether a commit of the session's own brings nothing new itself, so that a pick of it does not either
 * @returns undefined when the commit is no replay of an old or a clean one
 */
export async function findOriginal(
  repo: OpenRepo,
  commit: CommitInfo,
  search: EvidenceSearch,
  isClean: (commit: CommitInfo) => Promise<boolean>,
): Promise<Replay | undefined> {
  const [parent, ...others] = commit.parents
  if (parent === undefined) return undefined
  if (others.length > 0) return repo.replayMerge(parent, others)

  const old = oldTips(search)
  const reverted = await namedCommit(repo, /^This reverts commit ([0-9a-f]{40})/m, {
    text: commit.message,
    old,
  })
  if (reverted !== undefined) return repo.replayRevert(reverted, parent)
  const squashed = await squashedCommit(repo, commit.message, old)
  if (squashed !== undefined) return repo.replayMerge(parent, [squashed])

  const original =
    (await findPicked(repo, commit, search, old)) ?? (await findOwn(repo, commit, search, isClean))
  return original === undefined ? undefined : repo.replayPick(original, parent)
}

/** The tip of the old branch that `git merge --squash` names in the message it proposes. */
export async function squashedCommit(
  repo: OpenRepo,
  message: string,
  old: readonly Oid[],
): Promise<Oid | undefined> {
  const tip = /^Squashed commit of the following:\n\ncommit ([0-9a-f]{40})/
  return (await namedCommit(repo, tip, { text: message, old }))?.oid
}

/** The old commit whose id a pattern finds. */
async function namedCommit(
  repo: OpenRepo,
  pattern: RegExp,
  { text, old }: { text: string; old: readonly Oid[] },
): Promise<CommitInfo | undefined> {
  const id = pattern.exec(text)?.[1]
  const commit = id === undefined ? undefined : await repo.commit(id as Oid)
  return commit !== undefined && (await repo.isReachable(commit.oid, old)) ? commit : undefined
}

/** A clean commit that this work tree's HEAD has been at since the baseline. */
async function findOwn(
  repo: OpenRepo,
  commit: CommitInfo,
  search: EvidenceSearch,
  isClean: (commit: CommitInfo) => Promise<boolean>,
): Promise<CommitInfo | undefined> {
  const logged = readReflog(search.baseline, 'HEAD').slice(-MOST_LOGGED).reverse()
  const found = await findPicked(
    repo,
    commit,
    search,
    logged.map(({ after }) => after),
  )
  return found !== undefined && (await isClean(found)) ? found : undefined
}

/** The commit below one of the tips with the same author, mail and time, which a pick and a rebase keep. */
async function findPicked(
  repo: OpenRepo,
  commit: CommitInfo,
  search: EvidenceSearch,
  tips: readonly Oid[],
): Promise<CommitInfo | undefined> {
  for (const tip of new Set(tips)) {
    search.deadline.check('looking for the commit that was picked', search.deadline.totalMs / 4)
    const old = await repo.commitsSince([tip], commit.parents, MOST_CANDIDATES)
    const found = old.find(({ author, oid }) => author === commit.author && oid !== commit.oid)
    if (found !== undefined) return found
  }
  return undefined
}
