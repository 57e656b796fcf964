import path from 'node:path'
import { readRegularFile } from '../native/regular-file.ts'
import { writeAtomic } from './atomic.ts'
import type { TranscriptMark } from './transcript-file.ts'

/** Facts of one transcript as saved by an earlier call, with how far they reach. */
export interface SavedFacts {
  readonly facts: unknown
  readonly mark: TranscriptMark
}

export const factsFileOf = (sessionDir: string): string => path.join(sessionDir, 'facts.json')

/** @returns undefined when nothing usable is saved: facts can always be read again from the transcript */
export function readSavedFacts(file: string): SavedFacts | undefined {
  const bytes = readRegularFile(file)
  if (bytes === undefined) return undefined
  try {
    const value = JSON.parse(bytes.toString('utf8')) as Partial<SavedFacts>
    return value.mark === undefined || value.facts === undefined ? undefined : (value as SavedFacts)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

export const writeSavedFacts = (file: string, saved: SavedFacts): void => {
  writeAtomic(file, JSON.stringify(saved))
}
