/**
 * Values that cross into the native addon and back. How rows, tables and the index are laid out is in `docs/native.md`.
 *
 * Paths inside a repository are latin1 strings, one character per byte. Directories and other absolute paths are UTF-8
 * strings or Buffers.
 */
import type { IndexEntry } from '../core/baseline.ts'
import type { Oid, RepoPath } from '../core/ids.ts'

export type AbsolutePath = string | Buffer

/** Identity of a file. Decimal digits, because inode numbers can pass 2^53. */
export interface FileId {
  readonly ino: string
  readonly dev: string
}

export interface IndexSummary {
  readonly version: 2 | 3 | 4
  /** Entries, every stage counted. */
  readonly count: number
  /** Four-letter signatures in file order, such as `TREE`, `link`, `sdir`, `UNTR`, `FSMN`. */
  readonly extensions: readonly string[]
  /** Trailing hash as 40 hex digits; all zeros under `index.skipHash`. It is not verified. */
  readonly checksum: string
  /** Id of the tree that all entries make, where the index caches it; undefined when something was staged since. */
  readonly tree: Oid | undefined
  /** Split (`link`) or sparse (`sdir`): every other function refuses such an index with ENOTSUP. */
  readonly needsPlumbing: boolean
}

export interface IndexChange {
  readonly indexPath: AbsolutePath
  /** New file in the directory of the index; must not exist yet. */
  readonly tempPath: AbsolutePath
  /** Bytes of the index that was read; undefined when there was none. */
  readonly index: Buffer | undefined
  /** Entries to put; each replaces the entry of the same path and stage. Their stat data is zero, so git hashes them again. */
  readonly set: readonly IndexEntry[]
  /** Paths all of whose stages go first. */
  readonly remove: readonly RepoPath[]
}

export type IndexCommit = Pick<IndexChange, 'indexPath' | 'tempPath' | 'index'>

/**
 * `unreachable`: a parent is a link or not a directory, or may not be searched. `other`: socket, pipe, device.
 */
export type PathKind = 'file' | 'link' | 'directory' | 'other' | 'absent' | 'unreachable'

/** One path as a scan found it. `row` has 48 bytes and fits {@link Native.encodePatch}. */
export interface ScanRow {
  readonly path: RepoPath
  readonly kind: PathKind
  readonly row: Buffer
}

/** A row's flags are about the moment of the look; docs/native.md has the layout. */
/** What the front found of a tree while this process started. Files are named as a certificate names them. */
export interface HandedScan {
  readonly root: string
  readonly index: string
  readonly table: string
  /** Empty when there is none. */
  readonly patch: string
  readonly rows: ScanRow[]
}

const FLAGS_AT = 46

/** Whether two rows have the same stat data, whenever they were taken. */
export const isSameStat = (one: Buffer, other: Buffer): boolean =>
  one.subarray(0, FLAGS_AT).equals(other.subarray(0, FLAGS_AT))

/** Whether a row was taken so soon after the last change that the next one might not be seen in it. */
export const isYoungRow = (row: Buffer): boolean => (row.readUInt16LE(FLAGS_AT) & 1) !== 0

/** Inode and device of a row as one text; equal texts are the same file. */
export const fileOfRow = (row: Buffer): string => row.toString('hex', 24, 40)

export interface PinnedTable {
  /** 48 bytes of header, then one row per distinct path in index order. */
  readonly table: Buffer
  /** Files and links whose stat data does not prove that they hold their entry's content. */
  readonly unsure: readonly RepoPath[]
  readonly missing: readonly RepoPath[]
  /** Directories, other kinds and unreachable paths where the index has a file. */
  readonly odd: readonly ScanRow[]
}

export interface PathStat {
  readonly kind: PathKind
  readonly row: Buffer
  readonly size: number
  /** `st_mode`, type bits included; 0 when absent or unreachable. */
  readonly mode: number
  readonly mtimeNs: bigint
  readonly ino: string
  readonly nlink: number
}

export type FileContent =
  | {
      readonly kind: 'file'
      readonly bytes: Buffer
      readonly row: Buffer
      readonly mode: number
      readonly nlink: number
    }
  | { readonly kind: 'link'; readonly target: Buffer; readonly row: Buffer }

export interface Displacement {
  readonly root: AbsolutePath
  readonly path: RepoPath
  /** Name beside the target that nothing has; a killed pass leaves the new file or the displaced one under it. */
  readonly tempName: string
  /** Where the displaced file goes; nothing may be there. Its byte copy, where one is kept as well, has `.copy` appended. */
  readonly keepPath: AbsolutePath
  /** What is displaced must still be this; an absent row asks that nothing is there. */
  readonly expect?: Buffer
}

export type NewContent =
  | { readonly bytes: Buffer }
  /** A regular file to copy. */
  | { readonly source: AbsolutePath }
  /** Target of a symlink. */
  | { readonly link: Buffer }

export type Replacement = Displacement & {
  readonly content: NewContent
  /** Exact permission bits, or as git checks out a new file: 0666 or 0777 less the umask. Ignored for links. */
  readonly mode: number | 'file' | 'executable'
  readonly createParents?: boolean
}

export interface Kept {
  /** `inode`: the displaced file itself. `copy`: its bytes, taken while its stat data stood still. undefined: nothing was there. */
  readonly kept: 'inode' | 'copy' | undefined
  readonly keptKind: 'file' | 'link' | undefined
  /** Hard links of the displaced file before it was moved; over 1, a byte copy is kept as well. */
  readonly nlink: number
  /** Where the displaced link pointed. */
  readonly linkTarget: Buffer | undefined
}

export interface Replaced extends Kept {
  /** Nothing was at the path before. */
  readonly created: boolean
  /** Row of the new file. */
  readonly row: Buffer
}

declare const handle: unique symbol
/** An open repository of the addon, until {@link Native.closeGit}. */
export type GitHandle = number & { readonly [handle]: true }

export interface BlobSearch {
  /** Commits to start from; ids that are no commit are left out. */
  readonly tips: readonly Oid[]
  readonly path: RepoPath
  readonly oid: Oid
  readonly budgetMs: number
}

export interface CommitSearch {
  readonly tips: readonly Oid[]
  readonly hidden: readonly Oid[]
  readonly most: number
}

export interface CommitInfo {
  readonly oid: Oid
  readonly tree: Oid
  readonly parents: readonly Oid[]
  readonly message: string
}

export interface BlobFound {
  readonly found: Oid | undefined
  /** false when the budget ran out. */
  readonly complete: boolean
  /** A parent or tree was not in the database (shallow or partial clone), so history may hold more. */
  readonly missing: boolean
  /** Commits looked at. */
  readonly visited: number
}

export interface ChangeSearch {
  /** Commits to start from; ids that are no commit are left out. */
  readonly tips: readonly Oid[]
  readonly path: RepoPath
  readonly mostCommits: number
  readonly mostChanges: number
  readonly budgetMs: number
}

/** What one commit made of a path against its first parent; undefined is no file. */
export interface PathChange {
  readonly from: Oid | undefined
  readonly to: Oid | undefined
}

export interface AuthorSearch {
  /** Commits to start from; ids that are no commit are left out. */
  readonly tips: readonly Oid[]
  readonly like: Oid
  readonly most: number
  readonly budgetMs: number
}

export interface ReplayOrder {
  readonly gitDir: AbsolutePath
  readonly kind: 'merge' | 'pick' | 'revert'
  /** The commit that is merged, picked or reverted onto. */
  readonly onto: Oid
  /** Several only for a merge: git's octopus, one after the other. */
  readonly others: readonly Oid[]
  /** Number of the parent that a merge commit is picked or reverted against; 0 for any other commit. */
  readonly mainline: number
}

declare const replay: unique symbol
/** A merge in memory, for as long as it is referred to. */
export interface ReplayHandle {
  readonly [replay]: true
}

export interface ReplayedPath {
  /** undefined when the path is gone or in conflict. */
  readonly oid: Oid | undefined
  readonly isConflicted: boolean
}

/** `true` set, `false` unset (`-name`), a string is a value, undefined is unspecified. */
export type AttributeValue = string | boolean | undefined

export type StepAction = 'kill' | 'stop' | number
