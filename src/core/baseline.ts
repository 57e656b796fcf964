/**
 * What is pinned of one work tree when a gate arms, and what later checks make of it. The index bytes and the stat table
 * lie beside it as files of their own.
 */

import type { Oid, RepoPath, Sha256 } from './ids.ts'

export const BASELINE_VERSION = 2

/** One entry of git's index. */
export interface IndexEntry {
  readonly path: RepoPath
  readonly stage: 0 | 1 | 2 | 3
  /** 0o100644, 0o100755, 0o120000 or 0o160000. */
  readonly mode: number
  readonly oid: Oid
  readonly assumeValid: boolean
  readonly skipWorktree: boolean
  readonly intentToAdd: boolean
}

/** What stands in the work tree at a path. */
export type WorkContent =
  | {
      readonly kind: 'file'
      /** Name of the raw copy. */
      readonly sha256: Sha256
      /** Id of the bytes as git would store them; undefined when a filter driver failed. */
      readonly oid: Oid | undefined
      /** Permission bits. */
      readonly mode: number
    }
  | { readonly kind: 'link'; readonly target: string }
  | { readonly kind: 'absent' }
  /** A directory, a device, or behind a parent that is no directory: nothing can be put back there. */
  | { readonly kind: 'odd' }

export interface Head {
  readonly oid: Oid
  /** Full name of the branch; undefined when detached. */
  readonly ref: string | undefined
}

/** How content was converted when the gate armed; a change while it is armed hides nothing. */
export interface ConversionPins {
  /** A git directory of ours with these settings and the repository's objects. */
  readonly gitDir: string
  /** Stands for the settings and `info/attributes` as they were. */
  readonly digest: string
  /** Commands of each filter driver; one that is missing was not configured. */
  readonly drivers: Readonly<Record<string, FilterDriver>>
}

export interface FilterDriver {
  readonly clean?: string
  readonly smudge?: string
  readonly process?: string
}

export interface Baseline {
  readonly version: typeof BASELINE_VERSION
  /** Top of the work tree, absolute. */
  readonly root: string
  readonly gitDir: string
  readonly commonDir: string
  readonly pinnedAtMs: number
  readonly conversion: ConversionPins
  /** HEAD when the gate armed. */
  readonly firstHead: Head
  /** The old or upstream commit that the baseline follows now; attributes come from its tree. */
  readonly head: Head
  /** Commits once taken for old or upstream; they stay so, whatever a prune or a forced push removes. */
  readonly accepted: readonly Oid[]
  /** Commits of the session that changed no gated file, with the older commit that each stands on; old from then on. */
  readonly letPass: Readonly<Record<Oid, Oid>>
  /** Stands for the local branches and HEAD as the last check saw them. */
  readonly heads: string
  /** What git was in the middle of when the gate armed. */
  readonly operation: OpenOperation | undefined
  /** Files of an open merge, by name, in latin1. */
  readonly mergeFiles: Readonly<Record<string, string>>
  /** A check saw another work tree of the repository. */
  readonly sawOtherTrees: boolean
  /** Commits that were named because an operation kept them from being undone. */
  readonly named: readonly Oid[]
  /** Work-tree content that is not simply what the pinned index entry gives, by path. */
  readonly work: Readonly<Record<RepoPath, WorkContent>>
  /** Stat row of the index file, in hex, at which it holds the pinned index; undefined when that cannot be told. */
  readonly indexRow?: string | undefined
  /** Paths of the pinned index that were not tracked at the baseline and joined it by no old commit. */
  readonly outside: readonly RepoPath[]
  /** Blob ids that a path had at the baseline, whatever was folded in since, or that were folded in and no commit may prove again. */
  readonly originals: Readonly<Record<RepoPath, readonly Oid[]>>
  /** Raw copies of blobs that only the index named, by their id: the database may lose them. */
  readonly stagedBlobs: Readonly<Record<Oid, Sha256>>
  /** Paths that were missing from the work tree at the baseline; their absence stays old content. */
  readonly originallyAbsent: readonly RepoPath[]
  /** Paths of which the person was told that their uncommitted text is in its raw copy only. */
  readonly dropped: readonly RepoPath[]
  /** Excluded content that was reported, by path. */
  readonly observed: Readonly<Record<RepoPath, string>>
  /** Changed content that could not be put back and was reported, by path. */
  readonly failed: Readonly<Record<RepoPath, string>>
  /** Content that existed at the baseline in no commit that could be found in time: left, never searched again. */
  readonly unknown: Readonly<Record<RepoPath, readonly Oid[]>>
}

export type OpenOperation = 'rebase' | 'am' | 'cherry-pick' | 'revert' | 'bisect' | 'merge'

/** Where commits of before can be reached from, pinned when the gate armed. */
export interface PinnedRefs {
  readonly refs: Readonly<Record<string, Oid>>
  /** Stash entries, newest first. */
  readonly stash: readonly Oid[]
  /** Branches that other work trees had checked out. */
  readonly elsewhere: readonly string[]
  /** Every commit that a ref, reflog entry, stash entry or pseudo ref named, each once. */
  readonly tips: readonly Oid[]
}

/** What proves that content is old. `none`: nothing does. `unknown`: it may be old, and the search ended without an answer. */
export type Evidence =
  'baseline' | 'head' | 'old-commit' | 'upstream' | 'replay' | 'absent-there' | 'unknown' | 'none'

/** The older commit that stands for one that a check let pass: what the session committed itself decides nothing. */
export const olderOf = ({ letPass }: Pick<Baseline, 'letPass'>, commit: Oid): Oid => letPass[commit] ?? commit
