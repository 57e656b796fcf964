import { closeSync, fstatSync, readSync } from 'node:fs'
import { GateError, isSystemError } from '../core/errors.ts'
import { TRANSCRIPT_LIMIT_BYTES } from '../core/limits.ts'
import { notRegular, openIfThere } from '../native/regular-file.ts'

/** Enough to tell one transcript from another: its first records carry ids and times of their own. */
const HEAD_BYTES = 4096

/** How far a transcript was read, and which file that was. */
export interface TranscriptMark {
  readonly inode: number
  /** Bytes up to and with the last newline. */
  readonly offset: number
  /** The first `headBytes` bytes, in base64: a digest would cost more to compute than these to keep. */
  readonly head: string
  readonly headBytes: number
}

export type TranscriptRead =
  | { readonly kind: 'missing' }
  | { readonly kind: 'too-large'; readonly bytes: number }
  | {
      readonly kind: 'read'
      /** Whole lines after the mark, without their newlines. */
      readonly lines: readonly string[]
      /** What stands behind the last newline: a record that is being written, or a last line without its newline. */
      readonly tail: string
      readonly mark: TranscriptMark
      /** The mark did not fit (the file shrank or is another one), so `lines` begin at the start. */
      readonly restarted: boolean
    }

/**
 * Reads what a transcript holds behind a mark. Lines end at a newline byte and nowhere else, so U+2028 inside a string
 * is harmless.
 *
 * @param from undefined reads from the start
 * @throws GateError GATE_TRANSCRIPT when it is there and cannot be read
 */
export function readTranscript(path: string, from?: TranscriptMark): TranscriptRead {
  return opened(path, (file) => readBehind(file, from)) ?? { kind: 'missing' }
}

/** Whole lines, for who can do without: none when it is not there, too large, or cannot be read. */
export function linesOfTranscript(path: string): readonly string[] {
  try {
    const read = readTranscript(path)
    return read.kind === 'read' ? read.lines : []
  } catch (error) {
    if (error instanceof GateError) return []
    throw error
  }
}

function readBehind(file: number, from: TranscriptMark | undefined): TranscriptRead {
  const { size, ino } = fstatSync(file)
  if (size > TRANSCRIPT_LIMIT_BYTES) return { kind: 'too-large', bytes: size }
  const fits =
    from !== undefined &&
    from.inode === ino &&
    from.offset <= size &&
    headOf(file, from.headBytes) === from.head
  const start = fits ? from.offset : 0
  const bytes = readRange(file, start, size)
  const end = bytes.lastIndexOf(0x0a) + 1
  const offset = start + end
  const headBytes = Math.min(offset, HEAD_BYTES)
  return {
    kind: 'read',
    lines: end === 0 ? [] : bytes.toString('utf8', 0, end - 1).split('\n'),
    tail: bytes.toString('utf8', end),
    mark: { inode: ino, offset, head: headOf(file, headBytes), headBytes },
    restarted: from !== undefined && !fits,
  }
}

/** @returns undefined when there is no such file */
function opened<Value>(path: string, read: (file: number) => Value): Value | undefined {
  let file: number | undefined
  try {
    file = openIfThere(path)
    if (file === undefined) return undefined
    const stats = fstatSync(file)
    if (!stats.isFile()) throw notRegular(stats, path)
    return read(file)
  } catch (cause) {
    if (!isSystemError(cause)) throw cause
    throw new GateError('GATE_TRANSCRIPT', `the transcript cannot be read: ${path}`, { cause })
  } finally {
    if (file !== undefined) closeSync(file)
  }
}

/**
 * Tells the file of a mark from others.
 *
 * @returns its device and inode, and the bytes that the mark's `head` is of; undefined when the mark does not fit
 */
export function identifyTranscript(
  path: string,
  mark: TranscriptMark,
): { readonly dev: bigint; readonly ino: bigint; readonly head: Buffer } | undefined {
  return opened(path, (file) => {
    const { dev, ino } = fstatSync(file, { bigint: true })
    const head = readRange(file, 0, mark.headBytes)
    return Number(ino) === mark.inode && head.toString('base64') === mark.head
      ? { dev, ino, head }
      : undefined
  })
}

const headOf = (file: number, bytes: number): string => readRange(file, 0, bytes).toString('base64')

function readRange(file: number, start: number, end: number): Buffer {
  const bytes = Buffer.allocUnsafe(end - start)
  let filled = 0
  while (filled < bytes.length) {
    const count = readSync(file, bytes, filled, bytes.length - filled, start + filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}
