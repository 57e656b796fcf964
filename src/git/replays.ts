/**
 * What git's own merge of old inputs gives: a merge, a cherry-pick, a revert or a step of a rebase that applied cleanly
 * brings nothing of the session's own.
 */

import type { Oid } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import type { CommitInfo } from '../native/types.ts'
import { oldTips, type EvidenceSearch } from './evidence.ts'
import { readReflog } from './refs.ts'
import type { OpenRepo } from './repo.ts'
import type { Replay } from './walks.ts'

/** Commits of one author and one second that are tried. */
const MOST_CANDIDATES = 8
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
  const reverted = namedCommit(repo, /^This reverts commit ([0-9a-f]{40})/m, {
    text: commit.message,
    old,
  })
  if (reverted !== undefined) return repo.replayRevert(reverted, parent)
  const squashed = squashedCommit(repo, commit.message, old)
  if (squashed !== undefined) return repo.replayMerge(parent, [squashed])

  const picked = findPicked(repo, commit, { search, tips: old })
  const own = await findOwn(repo, commit, search, isClean)
  const replays = [...picked, ...own].map((original) => repo.replayPick(original, parent))
  return { gives: (path, oid) => replays.some((replay) => replay?.gives(path, oid) === true) }
}

/** The tip of the old branch that `git merge --squash` names in the message it proposes. */
export function squashedCommit(repo: OpenRepo, message: string, old: readonly Oid[]): Oid | undefined {
  const tip = /^Squashed commit of the following:\n\ncommit ([0-9a-f]{40})/
  return namedCommit(repo, tip, { text: message, old })?.oid
}

/** The old commit whose id a pattern finds. */
function namedCommit(
  repo: OpenRepo,
  pattern: RegExp,
  { text, old }: { text: string; old: readonly Oid[] },
): CommitInfo | undefined {
  const id = pattern.exec(text)?.[1]
  const commit = id === undefined ? undefined : repo.commit(id as Oid)
  return commit !== undefined && repo.isReachable(commit.oid, old) ? commit : undefined
}

/**
 * Clean commits that this work tree's HEAD has been at since the baseline. A merge is none of them: what it brings against
 * its first parent was judged with the commits that it merged.
 */
async function findOwn(
  repo: OpenRepo,
  commit: CommitInfo,
  search: EvidenceSearch,
  isClean: (commit: CommitInfo) => Promise<boolean>,
): Promise<readonly CommitInfo[]> {
  const logged = readReflog(search.baseline, 'HEAD').slice(-MOST_LOGGED).reverse()
  const clean: CommitInfo[] = []
  for (const found of findPicked(repo, commit, { search, tips: logged.map(({ after }) => after) }))
    if (found.parents.length === 1 && (await isClean(found))) clean.push(found)
  return clean
}

/** Commits below the tips with the same author, mail and time, which a pick and a rebase keep. */
export function findPicked(
  repo: OpenRepo,
  { oid }: CommitInfo,
  { search, tips }: { search: EvidenceSearch; tips: readonly Oid[] },
): readonly CommitInfo[] {
  const { git, deadline } = search
  const budgetMs = Math.floor(deadline.remaining() - deadline.totalMs / 4)
  if (budgetMs <= 0) return []
  const found = native().findSameAuthor(git, { tips, like: oid, most: MOST_CANDIDATES, budgetMs })
  return repo.commits(found)
}
