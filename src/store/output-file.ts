import {
  closeSync,
  constants,
  fstatSync,
  openSync,
  readdirSync,
  readSync,
  realpathSync,
  statSync,
} from 'node:fs'
import path from 'node:path'
import { GateError, hasErrno, isMissing } from '../core/errors.ts'
import type { OutputReading } from '../core/output-file.ts'

/** Failures that say something of the file, not of this pass. */
const OF_THE_FILE = ['EACCES', 'EPERM', 'ELOOP', 'ENAMETOOLONG', 'ENXIO', 'EINVAL']

/**
 * Reads a text that was modified after a moment; links are followed. A pipe or device is told apart without waiting.
 *
 * @param file absolute
 * @param limits.sinceMs its mtime must be later
 */
export function readOutputFile(
  file: string,
  limits: { readonly sinceMs: number; readonly limitBytes: number },
): OutputReading {
  try {
    // Most files of a large tree are old: looking at them must not cost an open.
    const stats = statSync(file)
    if (!stats.isFile()) return { kind: 'not-a-file' }
    return stats.mtimeMs <= limits.sinceMs ? { kind: 'unchanged' } : readText(file, limits.limitBytes)
  } catch (error) {
    if (isMissing(error)) return { kind: 'missing' }
    const why = OF_THE_FILE.find((name) => hasErrno(error, name))
    if (why === undefined) throw error
    return { kind: 'unreadable', why }
  }
}

function readText(file: string, limitBytes: number): OutputReading {
  const descriptor = openSync(file, constants.O_RDONLY | constants.O_NONBLOCK)
  try {
    const stats = fstatSync(descriptor)
    if (!stats.isFile()) return { kind: 'not-a-file' }
    if (stats.size > limitBytes) return { kind: 'too-large', bytes: stats.size }
    return { kind: 'text', text: decode(readAll(descriptor, stats.size)) }
  } finally {
    closeSync(descriptor)
  }
}

/** A path with its links resolved; what does not exist keeps its name below the nearest folder that does. */
export function realPathOf(file: string): string {
  try {
    return realpathSync(file)
  } catch (error) {
    const parent = path.dirname(file)
    if (parent === file) return file
    if (!isMissing(error) && !OF_THE_FILE.some((name) => hasErrno(error, name))) throw error
    return path.join(realPathOf(parent), path.basename(file))
  }
}

/**
 * Names of a folder's files, sorted; none when it is missing.
 *
 * @throws GateError GATE_STATE when it cannot be read
 */
export function filesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder).sort()
  } catch (cause) {
    if (isMissing(cause)) return []
    throw new GateError('GATE_STATE', `cannot read ${folder}`, { cause })
  }
}

function readAll(descriptor: number, sizeBytes: number): Buffer {
  const bytes = Buffer.allocUnsafe(sizeBytes)
  let filled = 0
  while (filled < bytes.length) {
    const count = readSync(descriptor, bytes, filled, bytes.length - filled, filled)
    if (count === 0) break
    filled += count
  }
  return bytes.subarray(0, filled)
}

/** UTF-8, or UTF-16 where a byte order mark says so, as Windows shells write it. */
function decode(bytes: Buffer): string {
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe
  return new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes)
}
