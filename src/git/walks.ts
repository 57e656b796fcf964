/** Walks and merges in memory, as `repo.ts` answers with them. */

import { asOid, repoPathBytes, repoPathToText, type Oid, type RepoPath } from '../core/ids.ts'
import {
  call,
  type Binary,
  type NativeCommit,
  type NativeIndex,
  type NativeIndexEntry,
  type NativeOid,
  type NativeRepo,
  type NativeTree,
  type NativeWalk,
} from './nodegit.ts'

/** `GIT_SORT_TOPOLOGICAL`: children before their parents. */
const SORT_TOPOLOGICAL = 1
/** `GIT_ITEROVER` */
const ITERATION_OVER = -31

export interface CommitInfo {
  readonly oid: Oid
  readonly parents: readonly Oid[]
  readonly message: string
  /** Name, mail and time of the author, which a rebase and a cherry-pick keep. */
  readonly author: string
}

/** Result of a merge in memory. */
export interface Replay {
  /** Whether it leaves this blob at the path, or nothing for undefined. */
  gives(path: RepoPath, oid: Oid | undefined): boolean
}

/** A merge commit is picked and reverted against its first parent. */
export const mainlineOf = ({ parents }: CommitInfo): number => (parents.length > 1 ? 1 : 0)

export function infoOf(oid: Oid, commit: NativeCommit): CommitInfo {
  const author = commit.author()
  return {
    oid,
    parents: Array.from({ length: commit.parentcount() }, (_, index) =>
      asOid(commit.parentId(index).tostrS()),
    ),
    message: commit.message(),
    author: `${author.name()} <${author.email()}> ${String(author.when().time())}`,
  }
}

export async function walkSince(
  git: Binary,
  repo: NativeRepo,
  { tips, hidden, most }: { tips: readonly Oid[]; hidden: readonly Oid[]; most: number },
): Promise<readonly CommitInfo[]> {
  const walk = git.Revwalk.create(repo)
  walk.sorting(SORT_TOPOLOGICAL)
  for (const tip of tips) walk.push(git.Oid.fromString(tip))
  for (const oid of hidden) ifThere(() => walk.hide(git.Oid.fromString(oid)))
  return await take(git, repo, walk, most)
}

/** Unsorted, since any sorting reads all of history before the first answer; what comes is in the order of dates. */
export async function walkNewest(
  git: Binary,
  repo: NativeRepo,
  tips: readonly Oid[],
  most: number,
): Promise<readonly CommitInfo[]> {
  const walk = git.Revwalk.create(repo)
  for (const tip of tips) ifThere(() => walk.push(git.Oid.fromString(tip)))
  return await take(git, repo, walk, most)
}

async function take(
  git: Binary,
  repo: NativeRepo,
  walk: NativeWalk,
  most: number,
): Promise<readonly CommitInfo[]> {
  const commits: CommitInfo[] = []
  while (commits.length < most) {
    const oid = await nextOf(walk)
    if (oid === undefined) return commits
    commits.push(infoOf(oid, await call(git.Commit.lookup, repo, git.Oid.fromString(oid))))
  }
  return commits
}

/** For acts on what may be gone: a pinned reflog entry, a tag that names a blob, a ref that another git holds. */
export function ifThere(act: () => void): void {
  try {
    act()
  } catch (error) {
    if (!(error instanceof Error)) throw error
  }
}

async function nextOf(walk: NativeWalk): Promise<Oid | undefined> {
  try {
    const next: NativeWalk['next'] = walk.next.bind(walk)
    return asOid((await call(next)).tostrS())
  } catch (error) {
    if (error instanceof Error && 'errno' in error && error.errno === ITERATION_OVER) return undefined
    throw error
  }
}

export async function replay(make: () => Promise<NativeIndex>): Promise<Replay | undefined> {
  const index = await orUndefined(make())
  if (index === undefined) return undefined
  let damaged: ReadonlyMap<string, readonly NativeIndexEntry[]> | undefined
  const entriesAt = (path: RepoPath): readonly NativeIndexEntry[] => {
    const name = repoPathToText(path)
    if (name === undefined) {
      damaged ??= damagedEntries(index)
      return damaged.get(repoPathBytes(path).toString('utf8')) ?? []
    }
    const entry = index.getByPath(name, 0)
    return entry ? [entry] : []
  }
  return {
    gives(path, oid) {
      // The stage's bits of an index entry's flags.
      const given = entriesAt(path).filter(({ flags }) => ((flags >> 12) & 3) === 0)
      if (given.length > 0) return given.some(({ id }) => id.tostrS() === oid)
      // The stages of a conflict cannot be asked for; a path without a blob in a merge with conflicts may be one of them.
      return oid === undefined && index.hasConflicts() === 0
    },
  }
}

/** As git's octopus merge does it: one head after the other, each onto what was merged so far. */
export async function mergeOctopus(
  git: Binary,
  repo: NativeRepo,
  { ours, theirs }: { ours: Oid; theirs: readonly Oid[] },
): Promise<NativeIndex> {
  const treeOf = async (commit: NativeOid): Promise<NativeTree> =>
    await call(git.Tree.lookup, repo, (await call(git.Commit.lookup, repo, commit)).treeId())
  const first = git.Oid.fromString(ours)
  let tree = await treeOf(first)
  let index: NativeIndex | undefined
  for (const oid of theirs) {
    const other = git.Oid.fromString(oid)
    const base = await treeOf(await call(git.Merge.base, repo, first, other))
    index = await call(git.Merge.trees, repo, base, tree, await treeOf(other), null)
    if (index.hasConflicts() === 1) return index
    const writeTree: NativeIndex['writeTreeTo'] = index.writeTreeTo.bind(index)
    tree = await call(git.Tree.lookup, repo, await call(writeTree, repo))
  }
  if (index === undefined) throw new Error(`nothing to merge into ${ours}`)
  return index
}

/**
 * Entries whose names are not UTF-8 cannot be asked for: they are found by what is left of their names, which may be the
 * same for several.
 */
function damagedEntries(index: NativeIndex): ReadonlyMap<string, readonly NativeIndexEntry[]> {
  const entries = new Map<string, NativeIndexEntry[]>()
  for (let at = 0; at < index.entryCount(); at++) {
    const entry = index.getByIndex(at)
    if (entry.path.includes('\uFFFD')) entries.set(entry.path, [...(entries.get(entry.path) ?? []), entry])
  }
  return entries
}

/** For questions whose failure means that there is no answer: a missing object, a lost race. */
export async function orUndefined<Result>(work: Promise<Result>): Promise<Result | undefined> {
  try {
    return await work
  } catch (error) {
    if (error instanceof Error) return undefined
    throw error
  }
}
