/** What the addon exports; `native/` implements it and `binding.ts` loads it. */

import type { IndexEntry } from '../core/baseline.ts'
import type { Oid, RepoPath } from '../core/ids.ts'
import type {
  AuthorSearch,
  AbsolutePath,
  AttributeValue,
  BlobFound,
  BlobSearch,
  ChangeSearch,
  CommitInfo,
  CommitSearch,
  Displacement,
  FileContent,
  FileId,
  GitHandle,
  HandedScan,
  IndexChange,
  IndexCommit,
  IndexSummary,
  Kept,
  PathChange,
  PathStat,
  PinnedTable,
  Replaced,
  ReplayedPath,
  ReplayHandle,
  ReplayOrder,
  Replacement,
  ScanRow,
  StepAction,
} from './types.ts'

/**
 * Everything is synchronous but scans. A failure is an Error with `code` (`ENOENT`, `EBADINDEX`, ...), `syscall` (the
 * step) and `path` (one character per byte); a wrong argument is a TypeError that names it. An index is parsed when it is
 * first given: its bytes must not be written to.
 */
export interface Native {
  /** @throws EBADINDEX when the bytes are no index of version 2, 3 or 4 with SHA-1 ids */
  parseIndex(index: Buffer): IndexSummary
  /** Every entry, or every stage of the named paths in index order; names without an entry are left out. */
  indexEntries(index: Buffer, paths?: readonly RepoPath[]): IndexEntry[]
  /** Paths, sorted, whose stages differ in mode, id or flags; stat data does not count. */
  diffIndexes(before: Buffer, after: Buffer): RepoPath[]
  /**
   * Writes the new index to `tempPath`. Version, mode and owner stay, cached data (TREE, UNTR, FSMN) goes, entries that
   * were racy lose their size so that git looks at their content.
   *
   * @throws EEXIST when the temp file exists or an entry to put is both a file and a directory of the same stage
   */
  prepareIndex(change: IndexChange): FileId
  /**
   * Links the prepared file to `index.lock` and renames it over the index.
   *
   * @returns `held`: `index.lock` is somebody else's, the prepared file stays; `moved`: the index no longer has the bytes
   *   that were read, prepared file and lock are gone
   */
  commitIndex(commit: IndexCommit): 'written' | 'held' | 'moved'
  /** Removes the index's lock file when it is the one noted. */
  releaseStaleLock(lock: FileId & { readonly indexPath: AbsolutePath }): boolean

  /**
   * Takes the stat data of every path of the index but gitlinks.
   *
   * @param pin `indexMtimeNs`: when the index file was written, for git's racy rule
   */
  pinTable(pin: {
    root: AbsolutePath
    index: Buffer
    indexMtimeNs: bigint
    threads?: number
  }): Promise<PinnedTable>
  /**
   * Paths whose stat data differs from the table's, and those whose row was too young to be trusted when it was taken.
   *
   * @throws EBADTABLE when the table is not of this index
   */
  scan(scan: { root: AbsolutePath; index: Buffer; table: Buffer; threads?: number }): Promise<ScanRow[]>
  /** Reads what the front found from its pipe, which is closed. @throws EBADTABLE when it is not whole */
  takeScan(pipe: number, scanner: number): Promise<HandedScan>
  /** Rows as a patch of the table: 56 bytes each, of which a later one wins. @throws ENOENT when the index has no such path */
  encodePatch(table: Buffer, index: Buffer, rows: readonly Pick<ScanRow, 'path' | 'row'>[]): Buffer
  /** Replaces the rows of a patch in the table itself. @throws EBADTABLE when it is not of this table */
  applyPatch(table: Buffer, patch: Buffer): void
  /**
   * The table for another index, with the rows of the paths that both have. Every scan reports the other paths until
   * they are patched. @throws EBADTABLE
   */
  carryTable(table: Buffer, index: Buffer, next: Buffer): Buffer
  statRow(root: AbsolutePath, path: RepoPath): PathStat

  /**
   * Reads a file or link without following links.
   *
   * @returns undefined when nothing is there
   * @throws ENOTDIR for an unreachable parent, EISDIR, ENOTREG, EAGAIN when it kept changing through three readings
   */
  readFileAt(root: AbsolutePath, path: RepoPath): FileContent | undefined
  /**
   * Opens a file without following links; the caller closes it. `mode` is `st_mode`.
   *
   * @throws ENOENT, ENOTDIR for an unreachable parent, EISDIR, ENOTREG for a link too, EAGAIN when it was replaced meanwhile
   */
  openFileAt(
    root: AbsolutePath,
    path: RepoPath,
  ): { file: number; row: Buffer; mode: number; sizeBytes: number }
  /**
   * Puts new content at a path by exchange; the displaced file goes to `keepPath`. On failure the tree is as it was, unless
   * somebody changed the path once more in that moment: what then finds its name taken stays under `tempName`.
   *
   * @throws ENOTDIR for an unreachable parent, ENOENT for a missing one, EISDIR or ENOTREG for what is neither file nor
   *   link, ESTALE when it is not what was expected, EEXIST when `tempName` or `keepPath` is taken
   */
  replaceAt(replacement: Replacement): Replaced
  /**
   * Many replacements on threads, none begun after `budgetMs`.
   *
   * @returns in their order what {@link Native.replaceAt} would give or throw; undefined for what was not begun
   */
  replaceAll(
    replacements: readonly Replacement[],
    budgetMs: number,
  ): readonly (Replaced | Error | undefined)[]
  /** Moves the file or link at a path to `keepPath`. @throws as {@link Native.replaceAt} */
  removeAt(displacement: Displacement): Kept
  /** @returns undefined where the file system keeps no birth time, or nothing is there */
  birthTimeMs(path: AbsolutePath): number | undefined
  /**
   * A file's bytes without reading them; what is written to them stays here. The file may be replaced or removed, but must
   * not be cut short: to touch what is gone ends the process.
   *
   * @returns undefined when there is none
   * @throws ENOTREG for a directory too, ENODEV where files cannot be mapped
   */
  mapFile(path: AbsolutePath): Buffer | undefined
  /**
   * Reads a file, through links too, into huge pages where the system has them: for large files.
   *
   * @returns undefined when there is none
   * @throws EISDIR, ENOTREG, EAGAIN when it grew meanwhile
   */
  readFile(path: AbsolutePath): Buffer | undefined
  /** By the OpenSSL that Node has. @throws ENOSYS without one */
  digest(name: 'sha1' | 'sha256', bytes: Buffer): Buffer

  /**
   * Takes a kernel lock (`flock`) without waiting. The descriptor is closed on exec.
   *
   * @param options `create`: make the file, mode 0600, when it is missing; a directory is never made
   */
  lockFile(path: AbsolutePath, options?: { create?: boolean }): (FileId & { readonly fd: number }) | 'held'
  unlock(fd: number): void
  /** Whether the path still names the locked file. */
  lockHolds(fd: number, path: AbsolutePath): boolean

  /**
   * Ends the process with exit code 0 and this text on standard output, unless it is stopped in time: also while a call
   * hangs. Starting it again moves the time.
   */
  startWatchdog(milliseconds: number, text: string): void
  /** Once this returns, the process is not ended any more. */
  stopWatchdog(): void

  /** Id that git gives a blob of these bytes; nothing is written. */
  hashBlob(bytes: Buffer): Oid
  /**
   * Loads libgit2 out of nodegit's binary; the functions below throw ENOSYS before.
   *
   * @throws ENOSYS when it cannot be loaded, or is not the libgit2 that the addon was compiled for
   */
  initGit(nodegitBinary: AbsolutePath): void
  /** @throws EGIT with libgit2's words when the repository is somebody else's, or of a format that it does not know */
  checkGit(gitDir: AbsolutePath): void
  /**
   * Opens a repository without its work tree.
   *
   * @param options `indexPath`: attributes come from this index file instead of the repository's own
   */
  openGit(options: { gitDir: AbsolutePath; indexPath?: AbsolutePath }): GitHandle
  closeGit(git: GitHandle): void
  /** Bytes as git would check them out at the path; filter drivers and `working-tree-encoding` are not applied. */
  smudge(git: GitHandle, path: RepoPath, bytes: Buffer): Buffer
  /** Whether cleaning may change any bytes at the path. */
  mayClean(git: GitHandle, path: RepoPath): boolean
  /** Id of content as git would store it at the path: bytes, or an open file that is read as a whole. */
  cleanedId(git: GitHandle, path: RepoPath, content: Buffer | number): Oid
  /** Size of a blob as it is stored; undefined when the database has no such blob. */
  blobSize(git: GitHandle, oid: Oid): number | undefined
  /**
   * Writes a blob to a new file, mode 0600, as git would check it out at the path.
   *
   * @param view where the path's attributes come from; undefined leaves the blob as it is stored
   * @throws ENOENT when the database has no such blob; then, as on any failure, no file is left
   */
  smudgeToFile(
    git: GitHandle,
    view: GitHandle | undefined,
    oid: Oid,
    path: RepoPath,
    file: AbsolutePath,
  ): void
  /** Values in the order of the names, never from the work tree. */
  attributes(git: GitHandle, path: RepoPath, names: readonly string[]): AttributeValue[]
  /**
   * Keys and values of the configuration as libgit2 sees it (nothing of `GIT_CONFIG_*`); a later value of a key wins.
   *
   * @param keys a regular expression
   */
  configuration(git: GitHandle, keys: string): [key: string, value: string][]
  /** Looks for a commit that holds the blob at the path, newest commits first. */
  findBlob(git: GitHandle, search: BlobSearch): BlobFound
  /** What the newest commits changed at the path, each change once; commits with missing trees are passed over. */
  findChanges(git: GitHandle, search: ChangeSearch): PathChange[]
  /**
   * Other commits with the author, mail and author's time of the one, newest first, as far back as there can be any.
   *
   * @throws ENOENT when the commit itself is missing
   */
  findSameAuthor(git: GitHandle, search: AuthorSearch): Oid[]
  /**
   * Commits reachable from tips and from nothing hidden, children before parents, at most so many. Hidden ids that are no
   * commits, and parents that are not here, are passed over. @throws ENOENT when a tip is no commit
   */
  commitsSince(git: GitHandle, search: CommitSearch): Oid[]
  /** @returns undefined when it is not in the database or no commit */
  commitInfo(git: GitHandle, oid: Oid): CommitInfo | undefined
  /** What an annotated tag is of. @returns undefined when it is not in the database or no annotated tag */
  tagTarget(git: GitHandle, oid: Oid): Oid | undefined
  /** Entry of the path in a commit's tree; undefined when there is none. @throws ENOENT when an object is missing */
  blobAt(git: GitHandle, commit: Oid, path: RepoPath): { oid: Oid; mode: number } | undefined
  /** Paths of files, links and submodules that differ between two commits, sorted. @throws ENOENT when an object is missing */
  changedPaths(git: GitHandle, from: Oid, to: Oid): RepoPath[]
  /** undefined when the database has no such blob. */
  readBlob(git: GitHandle, oid: Oid): Buffer | undefined
  /** Merges contents as git merges a file; undefined when lines conflict or a content is binary. */
  mergeText(git: GitHandle, contents: { base: Buffer; ours: Buffer; theirs: Buffer }): Buffer | undefined
  /** `loosePath`: the object's own file, where it has one. */
  objectInfo(git: GitHandle, oid: Oid): { exists: boolean; loosePath: string | undefined }

  /**
   * What git's own merge, cherry-pick or revert gives, made in memory: the repository's objects are neither written nor
   * touched. @throws ENOENT when a commit is missing
   */
  replay(order: ReplayOrder): ReplayHandle
  replayedAt(replay: ReplayHandle, path: RepoPath): ReplayedPath

  /**
   * For tests: what happens when the named step of `native/steps.h` is reached. `kill` and `stop` signal this process, a
   * number is the errno that the step fails with.
   */
  atStep(name: string, action: StepAction | undefined): void
}
