/**
 * The only file that knows nodegit. Own types outwards; loaded only when a baseline is pinned or a difference has to be
 * judged. It takes nodegit's binary alone: the package's JavaScript costs three times as much to load (docs/decisions).
 */

import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { promisify } from 'node:util'
import { GateError, messageOf } from '../core/errors.ts'
import { repoPathFromText, type Oid, type RepoPath } from '../core/ids.ts'

const require = createRequire(import.meta.url)

/** The part of nodegit's binary that is used here; asynchronous functions end with a callback. */
interface Binary {
  readonly Repository: { openExt: Async<NativeRepo> }
  readonly Commit: { lookup: Async<NativeCommit> }
  readonly Tree: { lookup: Async<NativeTree> }
  readonly Index: { open: Async<NativeIndex> }
  readonly Oid: { fromString(hex: string): NativeOid }
  readonly Diff: { treeToIndex: Async<NativeDiff>; treeToTree: Async<NativeDiff> }
  readonly Remote: { lookup: Async<{ url(): string | null }> }
  readonly StatusList: { create: Async<NativeStatus> }
  readonly Status: { byIndex(list: NativeStatus, index: number): NativeStatusEntry }
  readonly Graph: { descendantOf: Async<number>; reachableFromAny: Async<number> }
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- nodegit has no types of its own; each use names its result
type Async<Result> = ((...args: any[]) => void) & { readonly result?: Result }
type NativeRepo = object
interface NativeOid {
  tostrS(): string
}
interface NativeCommit {
  treeId(): NativeOid
}
type NativeTree = object
type NativeIndex = object
interface NativeStatus {
  entrycount(): number
}
interface NativeStatusEntry {
  headToIndex(): NativeDelta | null
  indexToWorkdir(): NativeDelta | null
}
interface NativeDiff {
  numDeltas(): number
  getDelta(index: number): NativeDelta
}
interface NativeDelta {
  oldFile(): { path(): string }
  newFile(): { path(): string }
}

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
  /** Paths that differ between the trees of two commits; names that are not UTF-8 come damaged. */
  changedPaths(from: Oid, to: Oid): Promise<readonly RepoPath[]>
  /** Whether `commit` is one of the tips or an ancestor of one; tips that are no commits here do not count. */
  isReachable(commit: Oid, tips: readonly Oid[]): Promise<boolean>
}

export type OpenedRepo =
  | { readonly kind: 'open'; readonly repo: OpenRepo }
  | { readonly kind: 'unusable'; readonly reason: 'not-owner' | 'unsupported-format' }

let loaded: Binary | undefined

/**
 * Loads nodegit's binary once, with its libgit2 visible to the addon.
 *
 * @returns the binary's path
 * @throws GateError GATE_NATIVE when it is missing or was built for another Node
 */
export function loadNodegit(): string {
  try {
    const path = require.resolve('nodegit/build/Release/nodegit.node')
    if (loaded === undefined) {
      const module = { exports: {} }
      // eslint-disable-next-line no-bitwise -- flags of dlopen
      process.dlopen(module, path, constants.dlopen.RTLD_NOW | constants.dlopen.RTLD_GLOBAL)
      loaded = module.exports as Binary
    }
    return path
  } catch (cause) {
    throw new GateError('GATE_NATIVE', `nodegit cannot be loaded by Node ${process.version}: ${messageOf(cause)}`, { cause })
  }
}

/**
 * Opens a repository by its git directory.
 *
 * @throws GateError GATE_GIT for any failure but an owner or a format that libgit2 refuses
 */
export async function openRepo(gitDir: string): Promise<OpenedRepo> {
  const git = nodegit()
  try {
    const native = await call(git.Repository.openExt, gitDir, OPEN_NO_SEARCH, '')
    return { kind: 'open', repo: wrap(git, native) }
  } catch (error) {
    const message = messageOf(error)
    if (/not owned by current user/.test(message)) return { kind: 'unusable', reason: 'not-owner' }
    if (/unsupported (?:extension|repository|version|object format|ref)|unknown object format|repository version|object type/i.test(message))
      return { kind: 'unusable', reason: 'unsupported-format' }
    throw new GateError('GATE_GIT', `git rev-parse --git-dir failed in ${gitDir}: ${message}`, { cause: error })
  }
}

function wrap(git: Binary, repo: NativeRepo): OpenRepo {
  const treeOf = async (commit: Oid): Promise<NativeTree> => {
    const found = await call(git.Commit.lookup, repo, git.Oid.fromString(commit))
    return await call(git.Tree.lookup, repo, found.treeId())
  }
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
        throw new GateError('GATE_GIT', `git remote get-url origin failed: ${messageOf(error)}`, { cause: error })
      }
    },
    stagedPaths: (commit, indexFile) =>
      asGitError(`git diff --cached ${commit}`, async () =>
        pathsOf(await call(git.Diff.treeToIndex, repo, await treeOf(commit), await call(git.Index.open, indexFile), null)),
      ),
    changedPaths: (from, to) =>
      asGitError(`git diff ${from} ${to}`, async () =>
        pathsOf(await call(git.Diff.treeToTree, repo, await treeOf(from), await treeOf(to), null)),
      ),
    async isReachable(commit, tips) {
      if (tips.includes(commit)) return true
      const target = git.Oid.fromString(commit)
      for (const tip of tips) {
        if (await isDescendant(git, repo, git.Oid.fromString(tip), target)) return true
      }
      return false
    },
  }
}

async function isDescendant(git: Binary, repo: NativeRepo, tip: NativeOid, commit: NativeOid): Promise<boolean> {
  try {
    return (await call(git.Graph.descendantOf, repo, tip, commit)) === 1
  } catch (error) {
    // A pinned reflog entry may be gone, a ref may name a blob: neither leads anywhere.
    if (error instanceof Error) return false
    throw error
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

function nodegit(): Binary {
  loadNodegit()
  if (loaded === undefined) throw new GateError('GATE_NATIVE', 'nodegit is not loaded')
  return loaded
}

/** Calls a function of the binary that is static there. */
async function call<Result>(fn: Async<Result>, ...args: unknown[]): Promise<Result> {
  const promised = promisify(fn) as (...args: unknown[]) => Promise<unknown>
  return (await promised(...args)) as Result
}

