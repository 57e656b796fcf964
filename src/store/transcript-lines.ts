import { statSync } from 'node:fs'
import { GateError, isSystemError, messageOf } from '../core/errors.ts'
import { isJson } from '../core/json.ts'
import { stateError } from './contract-record.ts'
import { readTranscript, type TranscriptMark } from './transcript-file.ts'

export interface TranscriptLines {
  /** Whole lines behind the mark, and a last one without its newline when it is whole JSON. */
  readonly lines: readonly string[]
  /** How many of them end with a newline. */
  readonly wholeLines: number
  readonly mark: TranscriptMark
  /** The mark did not fit, so `lines` begin at the start. */
  readonly restarted: boolean
}

/**
 * Reads a transcript whose absence is an error.
 *
 * @param from undefined, or a mark of a file that only grew since, reads on from there
 * @throws GateError SKILL_CONTRACT_STATE_ERROR when it is missing, no regular file, over 32 MiB, or cannot be read
 */
export function readTranscriptLines(file: string, from?: TranscriptMark): TranscriptLines {
  const read = readRegularFile(file, from)
  if (read.kind === 'missing') throw stateError(file, 'the transcript is missing')
  if (read.kind === 'too-large') throw stateError(file, 'the transcript is over 32 MiB')
  const tail = isJson(read.tail) ? [read.tail] : []
  return {
    lines: [...read.lines, ...tail],
    wholeLines: read.lines.length,
    mark: read.mark,
    restarted: read.restarted,
  }
}

function readRegularFile(file: string, from: TranscriptMark | undefined) {
  try {
    const stat = statSync(file, { throwIfNoEntry: false })
    if (stat !== undefined && !stat.isFile()) throw stateError(file, 'the transcript is not a regular file')
    return readTranscript(file, from)
  } catch (error) {
    const cause = error instanceof GateError && error.code === 'GATE_TRANSCRIPT' ? error.cause : error
    if (isSystemError(cause)) throw stateError(file, messageOf(cause))
    throw error
  }
}
