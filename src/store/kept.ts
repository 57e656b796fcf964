/** Copies of what was replaced or undone, and a ledger of them: nothing that was on disk is lost. */

import { lstatSync, rmSync } from 'node:fs'
import path from 'node:path'
import { isoTime } from '../core/iso-time.ts'
import { showPath, type Oid, type RepoPath, type Sha256 } from '../core/ids.ts'
import { writeAtomic } from './atomic.ts'
import { makeStateFolder, namesIn } from './folder.ts'
import { appendJsonLines, jsonLines, readJsonLines } from './json-lines.ts'
import { uniqueName } from './unique-name.ts'

/** Together they may take this much of a session; then nothing is replaced any more. */
const KEPT_LIMIT_BYTES = 2 * 1024 * 1024 * 1024

export interface KeptCopy {
  /** ISO 8601. */
  readonly at: string
  /** Name below the session's `kept` directory. */
  readonly name: string
  readonly root: string
  readonly path: RepoPath
  /** `overwritten`: a person restored another copy over it. */
  readonly why: 'put-back' | 'adopted' | 'overwritten'
  /** Where it pointed, when it was a link. */
  readonly linkTarget?: string
  /** What was put back in its place, where that is known and no link. */
  readonly original?: KeptOriginal
}

export type KeptOriginal =
  /** The path is absent at the baseline. */
  | { readonly kind: 'nothing' }
  /** A blob of the repository, as it is stored: before any filter. */
  | { readonly kind: 'blob'; readonly gitDir: string; readonly oid: Oid }
  /** A raw copy of the same session. */
  | { readonly kind: 'copy'; readonly sha256: Sha256 }

export const keptDir = (sessionDir: string): string => path.join(sessionDir, 'kept')
export const keptPath = (sessionDir: string, name: string): string => path.join(keptDir(sessionDir), name)

/** A new name that ends with the path's own last part, so that a person recognises it. */
export function newKeptName(repoPath: RepoPath, at: Date): string {
  const stamp = isoTime(at).replace(/[-:]|\.\d+/g, '')
  const last = showPath(repoPath)
    .replace(/^.*\//, '')
    .replace(/[^A-Za-z0-9._-]/g, '_')
    .slice(-80)
  return `${stamp}-${uniqueName()}-${last === '' ? 'file' : last}`
}

export const makeKeptDir = (sessionDir: string): void => {
  makeStateFolder(keptDir(sessionDir))
}

export const KEPT_FULL = 'the kept copies of this session are over 2 GiB'

/** Whether the session may keep no more. */
export function isKeptFull(sessionDir: string): boolean {
  const folder = keptDir(sessionDir)
  const names = namesIn(folder)
  return names.reduce((sum, name) => sum + lstatSync(path.join(folder, name)).size, 0) >= KEPT_LIMIT_BYTES
}

const ledgerOf = (sessionDir: string): string => path.join(sessionDir, 'kept.jsonl')

/** Adds copies to the session's list, in the order in which they were made. */
export function noteKept(sessionDir: string, copies: readonly KeptCopy[]): void {
  appendJsonLines(ledgerOf(sessionDir), copies)
}

/** Oldest first. */
export const listKept = (sessionDir: string): readonly KeptCopy[] =>
  readJsonLines(ledgerOf(sessionDir)) as readonly KeptCopy[]

/** Files of a copy: the replaced file itself, and its bytes where it had other names. */
export const keptFiles = (sessionDir: string, name: string): readonly string[] =>
  [keptPath(sessionDir, name), `${keptPath(sessionDir, name)}.copy`].filter(
    (file) => lstatSync(file, { throwIfNoEntry: false }) !== undefined,
  )

/** Removes copies and forgets them; called while no hook can add one. */
export function removeKept(sessionDir: string, gone: readonly KeptCopy[]): void {
  const names = new Set(gone.map(({ name }) => name))
  const rest = listKept(sessionDir).filter(({ name }) => !names.has(name))
  for (const name of names) for (const file of keptFiles(sessionDir, name)) rmSync(file, { force: true })
  writeAtomic(ledgerOf(sessionDir), jsonLines(rest))
}
