/** Questions to a repository, in own types, answered by libgit2; loaded only when a baseline is pinned or judged. */

import { GateError, messageOf } from '../core/errors.ts'
import { repoPathFromText, repoPathToText, type Oid, type RepoPath } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import type { CommitInfo, CommitSearch } from '../native/types.ts'
import { initLibgit2, withGit } from './libgit2.ts'
import { call, nodegit, type Binary, type NativeDiff, type NativeRepo } from './nodegit.ts'
import { isBelow, mainlineOf, replay, walkSince, type Replay } from './walks.ts'

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
  stagedPaths(commit: Pick<CommitInfo, 'tree'>, indexFile: string): Promise<readonly RepoPath[]>
  /** Whether `commit` is one of the tips or an ancestor of one; tips that are no commits here do not count. */
  isReachable(commit: Oid, tips: readonly Oid[]): boolean
  /** @returns undefined when it is not in the database or no commit */
  commit(oid: Oid): CommitInfo | undefined
  /** Those of the ids that are commits of the database. */
  commits(oids: readonly Oid[]): readonly CommitInfo[]
  /**
   * Commits reachable from one of the tips and from none of the hidden ones, children before parents; the first `most` of
   * them. Hidden ids that are no commits here hide nothing.
   */
  commitsSince(search: CommitSearch): readonly CommitInfo[]
  /** What git's own merge, cherry-pick or revert gives, made in memory; undefined when it cannot be made. */
  replayMerge(ours: Oid, theirs: readonly Oid[]): Replay | undefined
  replayPick(picked: CommitInfo, onto: Oid): Replay | undefined
  replayRevert(reverted: CommitInfo, onto: Oid): Replay | undefined
  /** Which of the paths a list of patterns in gitignore's form matches, the last matching one deciding. */
  matchPatterns(patterns: string, paths: readonly RepoPath[]): Promise<ReadonlySet<RepoPath>>
  /** The object behind an annotated tag, through tags of tags; undefined when the id is no tag. */
  peelTag(oid: Oid): Oid | undefined
  /** Writes a blob to the database. */
  writeBlob(bytes: Buffer): Promise<void>
  /** Deletes a ref; one that is gone or held by another git stays as it is. */
  removeRef(name: string): Promise<void>
}

export type OpenedRepo =
  | { readonly kind: 'open'; readonly repo: OpenRepo }
  | { readonly kind: 'unusable'; readonly reason: 'not-owner' | 'unsupported-format' }

/**
 * Opens a repository by its git directory.
 *
 * @throws GateError GATE_GIT for any failure but an owner or a format that libgit2 refuses
 */
export function openRepo(gitDir: string): OpenedRepo {
  initLibgit2()
  try {
    native().checkGit(gitDir)
    return { kind: 'open', repo: wrap(gitDir) }
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
export function openOrFail(gitDir: string): OpenRepo {
  const opened = openRepo(gitDir)
  if (opened.kind === 'open') return opened.repo
  throw new GateError('GATE_GIT', `the repository cannot be used any more (${opened.reason}): ${gitDir}`)
}

function wrap(gitDir: string): OpenRepo {
  let opened: Promise<NativeRepo> | undefined
  const open = async (): Promise<{ readonly git: Binary; readonly repo: NativeRepo }> => {
    const git = nodegit()
    opened ??= call(git.Repository.openExt, gitDir, OPEN_NO_SEARCH, '')
    return { git, repo: await opened }
  }
  const commits = (oids: readonly Oid[]): readonly CommitInfo[] =>
    asGitError('git cat-file commit', () =>
      withGit(gitDir, (git) =>
        oids.map((oid) => native().commitInfo(git, oid)).filter((found) => found !== undefined),
      ),
    )
  return {
    statusPaths: (patterns) =>
      asGitErrors(`git status -- ${patterns.join(' ')}`, async () => {
        const { git, repo } = await open()
        const options = { version: 1, show: 0, flags: STATUS_FLAGS, pathspec: patterns }
        const list = await call(git.StatusList.create, repo, options)
        return Array.from({ length: list.entrycount() }, (_, index) => {
          const entry = git.Status.byIndex(list, index)
          return repoPathFromText((entry.indexToWorkdir() ?? entry.headToIndex())?.newFile().path() ?? '')
        })
      }),
    async originUrl() {
      try {
        const { git, repo } = await open()
        return (await call(git.Remote.lookup, repo, 'origin')).url() ?? undefined
      } catch (error) {
        if (/remote 'origin' does not exist/.test(messageOf(error))) return undefined
        throw new GateError('GATE_GIT', `git remote get-url origin failed: ${messageOf(error)}`, {
          cause: error,
        })
      }
    },
    stagedPaths: ({ tree }, indexFile) =>
      asGitErrors(`git diff --cached ${tree}`, async () => {
        const { git, repo } = await open()
        const from = await call(git.Tree.lookup, repo, git.Oid.fromString(tree))
        return pathsOf(
          await call(git.Diff.treeToIndex, repo, from, await call(git.Index.open, indexFile), null),
        )
      }),
    isReachable: (commit, tips) =>
      asGitError(
        `git merge-base --is-ancestor ${commit}`,
        () => tips.includes(commit) || isBelow(commit, { gitDir, tips }),
      ),
    commit: (oid) => commits([oid])[0],
    commits,
    commitsSince: (search) => asGitError('git rev-list', () => walkSince({ gitDir, ...search })),
    replayMerge: (ours, theirs) => replay({ gitDir, kind: 'merge', onto: ours, others: theirs, mainline: 0 }),
    replayPick: (picked, onto) =>
      replay({ gitDir, kind: 'pick', onto, others: [picked.oid], mainline: mainlineOf(picked) }),
    replayRevert: (reverted, onto) =>
      replay({ gitDir, kind: 'revert', onto, others: [reverted.oid], mainline: mainlineOf(reverted) }),
    async matchPatterns(patterns, paths) {
      const { git, repo } = await open()
      git.Ignore.clearInternalRules(repo)
      git.Ignore.addRule(repo, patterns)
      const matched = new Set<RepoPath>()
      for (const path of paths) {
        if ((await call(git.Ignore.pathIsIgnored, repo, repoPathToText(path) ?? path)) === 1)
          matched.add(path)
      }
      return matched
    },
    peelTag: (oid) =>
      asGitError(`git rev-parse ${oid}^{}`, () =>
        withGit(gitDir, (git) => {
          let target = native().tagTarget(git, oid)
          for (let next = target; next !== undefined; next = native().tagTarget(git, next)) target = next
          return target
        }),
      ),
    async writeBlob(bytes) {
      await asGitErrors('git hash-object -w', async () => {
        const { git, repo } = await open()
        await call(git.Blob.createFromBuffer, repo, bytes, bytes.length)
      })
    },
    async removeRef(name) {
      const { git, repo } = await open()
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

function asGitError<Result>(what: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    throw gitError(what, error)
  }
}

async function asGitErrors<Result>(what: string, work: () => Promise<Result>): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    throw gitError(what, error)
  }
}

const gitError = (what: string, cause: unknown): GateError =>
  cause instanceof GateError
    ? cause
    : new GateError('GATE_GIT', `${what} failed: ${messageOf(cause)}`, { cause })
