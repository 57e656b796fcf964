import path from 'node:path'
import { GateError } from '../core/errors.ts'
import { readSealed, writeSealed } from './sealed.ts'
import type { TranscriptMark } from './transcript-file.ts'

/** Facts of one transcript as saved by an earlier call, with how far they reach. */
export interface SavedFacts {
  readonly facts: unknown
  readonly mark: TranscriptMark
}

export const factsFileOf = (sessionDir: string): string => path.join(sessionDir, 'facts.json')

/** @returns undefined when nothing usable is saved: facts can always be read again from the transcript */
export function readSavedFacts(file: string): SavedFacts | undefined {
  try {
    return readSealed(file, () => true) as SavedFacts | undefined
  } catch (error) {
    if (error instanceof GateError) return undefined
    throw error
  }
}

export const writeSavedFacts = (file: string, saved: SavedFacts): void => {
  writeSealed(file, saved)
}
