/**
 * What a stop read of its session's transcript, condensed, so that the next one reads on from there:
 * `skill-contracts/.readings/<session id>.json`, mode 0600. It can always be read again, so what does not fit is ignored.
 */

import path from 'node:path'
import { GateError, isSystemError } from '../core/errors.ts'
import type { SessionId } from '../core/ids.ts'
import { writeAtomic } from './atomic.ts'
import { recordsDir } from './contract-record.ts'
import { makeStateFolder, removeOlder } from './folder.ts'
import type { StatePaths } from './paths.ts'
import { parseState, readState } from './state-file.ts'
import type { TranscriptMark } from './transcript-file.ts'

const VERSION = 2
const KEPT_MS = 7 * 24 * 3_600_000

export interface SavedReading {
  readonly version: typeof VERSION
  /** Up to where the transcript was read. */
  readonly mark: TranscriptMark
  /** How many lines that are. */
  readonly lines: number
  /** Condensed and packed. */
  readonly events: readonly unknown[]
  /** The words with which the events were condensed. */
  readonly words: readonly string[]
}

/** @returns undefined when nothing usable is saved */
export function readSavedReading(paths: StatePaths, session: SessionId): SavedReading | undefined {
  const file = fileOf(paths, session)
  try {
    const bytes = readState(file)
    const saved = bytes === undefined ? undefined : (parseState(file, bytes) as Partial<SavedReading>)
    return saved?.version === VERSION ? (saved as SavedReading) : undefined
  } catch (error) {
    if (error instanceof GateError) return undefined
    throw error
  }
}

/** Saves a reading and removes those that no stop has used for a week. One that cannot be saved costs time, no answer. */
export function saveReading(
  paths: StatePaths,
  session: SessionId,
  reading: Omit<SavedReading, 'version'>,
  now: Date,
): void {
  try {
    const folder = folderOf(paths)
    makeStateFolder(folder)
    writeAtomic(fileOf(paths, session), JSON.stringify({ version: VERSION, ...reading }))
    removeOlder(folder, now.getTime() - KEPT_MS)
  } catch (error) {
    if (!isSystemError(error) && !(error instanceof GateError)) throw error
  }
}

const folderOf = (paths: StatePaths): string => path.join(recordsDir(paths), '.readings')

const fileOf = (paths: StatePaths, session: SessionId): string =>
  path.join(folderOf(paths), `${session}.json`)
