/** Questions to a repository, in own types, answered by libgit2; loaded only when a baseline is pinned or judged. */

import { GateError, messageOf } from '../core/errors.ts'
import { asOid, repoPathFromText, repoPathToText, type Oid, type RepoPath } from '../core/ids.ts'
import type { CommitSearch } from '../native/types.ts'
import {
  call,
  nodegit,
  type Binary,
  type NativeCommit,
  type NativeDiff,
  type NativeRepo,
  type NativeTree,
} from './nodegit.ts'
import {
  infoOf,
  isBelow,
  mainlineOf,
  orUndefined,
  replay,
  walkSince,
  type CommitInfo,
  type Replay,
} from './walks.ts'

/** `GIT_REPOSITORY_OPEN_NO_SEARCH` */
const OPEN_NO_SEARCH = 1

/** `GIT_STATUS_OPT_INCLUDE_UNTRACKED | _EXCLUDE_SUBMODULES | _RECURSE_UNTRACKED_DIRS` */
const STATUS_FLAGS = 0x1 + 0x8 + 0x10

export interface OpenRepo {
  /**
   * Paths of the work tree that differ from HEAD, or are untracked and not ignored; names that are not UTF-8 come
   * damaged. Deleted ones are among them.
   *
   * @param patterns as `git status -- <patterns>` takes them
   */
  statusPaths(patterns: readonly string[]): Promise<readonly RepoPath[]>
  /** The URL of `origin` as git would use it; undefined when there is none. */
  originUrl(): Promise<string | undefined>
  /** Paths whose entry in the index file differs from the commit's tree; names that are not UTF-8 come damaged. */
  stagedPaths(commit: Oid, indexFile: string): Promise<readonly RepoPath[]>
  /** Id of the commit's tree. */
  treeId(commit: Oid): Promise<Oid>
  /** Whether `commit` is one of the tips or an ancestor of one; tips that are no commits here do not count. */
  isReachable(commit: Oid, tips: readonly Oid[]): Promise<boolean>
  /** @returns undefined when it is not in the database or no commit */
  commit(oid: Oid): Promise<CommitInfo | undefined>
  /**
   * Commits reachable from one of the tips and from none of the hidden ones, children before parents; the first `most` of
   * them. Hidden ids that are no commits here hide nothing.
   */
  commitsSince(search: CommitSearch): Promise<readonly CommitInfo[]>
  /** What git's own merge, cherry-pick or revert gives, made in memory; undefined when it cannot be made. */
  replayMerge(ours: Oid, theirs: readonly Oid[]): Replay | undefined
  replayPick(picked: CommitInfo, onto: Oid): Replay | undefined
  replayRevert(reverted: CommitInfo, onto: Oid): Replay | undefined
  /** Which of the paths a list of patterns in gitignore's form matches, the last matching one deciding. */
  matchPatterns(patterns: string, paths: readonly RepoPath[]): Promise<ReadonlySet<RepoPath>>
  /** The object behind an annotated tag, through tags of tags; undefined when the id is no tag. */
  peelTag(oid: Oid): Promise<Oid | undefined>
  /** Writes a blob to the database. */
  writeBlob(bytes: Buffer): Promise<void>
  /** Deletes a ref; one that is gone or held by another git stays as it is. */
  removeRef(name: string): void
}

export type OpenedRepo =
  | { readonly kind: 'open'; readonly repo: OpenRepo }
  | { readonly kind: 'unusable'; readonly reason: 'not-owner' | 'unsupported-format' }

/**
 * Opens a repository by its git directory.
 *
 * @throws GateError GATE_GIT for any failure but an owner or a format that libgit2 refuses
 */
export async function openRepo(gitDir: string): Promise<OpenedRepo> {
  const git = nodegit()
  try {
    const native = await call(git.Repository.openExt, gitDir, OPEN_NO_SEARCH, '')
    return { kind: 'open', repo: wrap(git, native, gitDir) }
  } catch (error) {
    const message = messageOf(error)
    if (/not owned by current user/.test(message)) return { kind: 'unusable', reason: 'not-owner' }
    if (
      /unsupported (?:extension|repository|version|object format|ref)|unknown object format|repository version|object type/i.test(
        message,
      )
    )
      return { kind: 'unusable', reason: 'unsupported-format' }
    throw new GateError('GATE_GIT', `git rev-parse --git-dir failed in ${gitDir}: ${message}`, {
      cause: error,
    })
  }
}

/** As {@link openRepo}, where a repository that cannot be used any more is an error. @throws GateError GATE_GIT */
export async function openOrFail(gitDir: string): Promise<OpenRepo> {
  const opened = await openRepo(gitDir)
  if (opened.kind === 'open') return opened.repo
  throw new GateError('GATE_GIT', `the repository cannot be used any more (${opened.reason}): ${gitDir}`)
}

function wrap(git: Binary, repo: NativeRepo, gitDir: string): OpenRepo {
  const lookUp = async (oid: Oid): Promise<NativeCommit> =>
    await call(git.Commit.lookup, repo, git.Oid.fromString(oid))
  const treeOf = async (commit: Oid): Promise<NativeTree> =>
    await call(git.Tree.lookup, repo, (await lookUp(commit)).treeId())
  return {
    statusPaths: (patterns) =>
      asGitError(`git status -- ${patterns.join(' ')}`, async () => {
        const options = { version: 1, show: 0, flags: STATUS_FLAGS, pathspec: patterns }
        const list = await call(git.StatusList.create, repo, options)
        return Array.from({ length: list.entrycount() }, (_, index) => {
          const entry = git.Status.byIndex(list, index)
          return repoPathFromText((entry.indexToWorkdir() ?? entry.headToIndex())?.newFile().path() ?? '')
        })
      }),
    async originUrl() {
      try {
        return (await call(git.Remote.lookup, repo, 'origin')).url() ?? undefined
      } catch (error) {
        if (/remote 'origin' does not exist/.test(messageOf(error))) return undefined
        throw new GateError('GATE_GIT', `git remote get-url origin failed: ${messageOf(error)}`, {
          cause: error,
        })
      }
    },
    stagedPaths: (commit, indexFile) =>
      asGitError(`git diff --cached ${commit}`, async () =>
        pathsOf(
          await call(
            git.Diff.treeToIndex,
            repo,
            await treeOf(commit),
            await call(git.Index.open, indexFile),
            null,
          ),
        ),
      ),
    treeId: (commit) =>
      asGitError(`git rev-parse ${commit}^{tree}`, async () => {
        return asOid((await lookUp(commit)).treeId().tostrS())
      }),
    isReachable: (commit, tips) =>
      asGitError(`git merge-base --is-ancestor ${commit}`, () =>
        Promise.resolve(tips.includes(commit) || isBelow(commit, { gitDir, tips })),
      ),
    commit: (oid) =>
      asGitError(`git cat-file commit ${oid}`, async () => {
        const found = await orUndefined(call(git.Commit.lookup, repo, git.Oid.fromString(oid)))
        return found === undefined ? undefined : infoOf(oid, found)
      }),
    commitsSince: (search) => asGitError('git rev-list', () => walkSince(git, repo, { gitDir, ...search })),
    replayMerge: (ours, theirs) => replay({ gitDir, kind: 'merge', onto: ours, others: theirs, mainline: 0 }),
    replayPick: (picked, onto) =>
      replay({ gitDir, kind: 'pick', onto, others: [picked.oid], mainline: mainlineOf(picked) }),
    replayRevert: (reverted, onto) =>
      replay({ gitDir, kind: 'revert', onto, others: [reverted.oid], mainline: mainlineOf(reverted) }),
    async matchPatterns(patterns, paths) {
      git.Ignore.clearInternalRules(repo)
      git.Ignore.addRule(repo, patterns)
      const matched = new Set<RepoPath>()
      for (const path of paths) {
        if ((await call(git.Ignore.pathIsIgnored, repo, repoPathToText(path) ?? path)) === 1)
          matched.add(path)
      }
      return matched
    },
    async peelTag(oid) {
      const tag = await orUndefined(call(git.Tag.lookup, repo, git.Oid.fromString(oid)))
      if (tag === undefined) return undefined
      const target = asOid(tag.targetId().tostrS())
      return (await this.peelTag(target)) ?? target
    },
    async writeBlob(bytes) {
      await asGitError('git hash-object -w', () => call(git.Blob.createFromBuffer, repo, bytes, bytes.length))
    },
    removeRef(name) {
      try {
        git.Reference.remove(repo, name)
      } catch (error) {
        // It is gone, or another git holds it.
        if (!(error instanceof Error)) throw error
      }
    },
  }
}

function pathsOf(diff: NativeDiff): readonly RepoPath[] {
  const paths = new Set<string>()
  for (let index = 0; index < diff.numDeltas(); index++) {
    const delta = diff.getDelta(index)
    paths.add(delta.oldFile().path()).add(delta.newFile().path())
  }
  paths.delete('')
  return [...paths].map(repoPathFromText)
}

async function asGitError<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw new GateError('GATE_GIT', `${what} failed: ${messageOf(error)}`, { cause: error })
  }
}
