/** Lists of what happened in a session, one JSON object a line, added to and never rewritten by a hook. */

import path from 'node:path'
import type { Oid, RepoPath, Sha256 } from '../core/ids.ts'
import { appendJsonLines, readJsonLines } from './json-lines.ts'

/** A path whose new content was taken for old and folded into the baseline. */
export interface NotedFold {
  /** ISO 8601. */
  readonly at: string
  readonly root: string
  readonly path: RepoPath
  /** What its content was old by. */
  readonly evidence: string
  readonly commit?: Oid | undefined
  readonly replay?: string
  /** Names of the raw copies of what the baseline had until then. */
  readonly copies: readonly Sha256[]
}

const foldsFile = (sessionDir: string): string => path.join(sessionDir, 'folds.jsonl')

export function noteFolds(sessionDir: string, folds: readonly NotedFold[]): void {
  appendJsonLines(foldsFile(sessionDir), folds)
}

export const listFolds = (sessionDir: string): readonly NotedFold[] =>
  readJsonLines(foldsFile(sessionDir)) as NotedFold[]

/** Commits that were taken off a branch. */
export interface NotedUndo {
  /** ISO 8601. */
  readonly at: string
  readonly root: string
  /** Full name of the ref that moved back. */
  readonly ref: string
  readonly from: Oid
  readonly to: Oid
  /** Newest first. */
  readonly commits: readonly Oid[]
  /** Gated paths that they changed. */
  readonly paths: readonly RepoPath[]
}

const undosFile = (sessionDir: string): string => path.join(sessionDir, 'undone.jsonl')

export function noteUndo(sessionDir: string, undo: NotedUndo): void {
  appendJsonLines(undosFile(sessionDir), [undo])
}

export const listUndos = (sessionDir: string): readonly NotedUndo[] =>
  readJsonLines(undosFile(sessionDir)) as NotedUndo[]
