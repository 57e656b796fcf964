import { closeSync, constants, fstatSync, openSync, readFileSync, type Stats } from 'node:fs'
import { isMissing } from '../core/errors.ts'

/**
 * Reads a file, through links too. It never waits: what stands there may be a pipe that nobody writes to.
 *
 * @returns undefined when there is no such file
 * @throws an error of the system; its code is EISDIR for a directory, ENOTREG for what else is no regular file
 */
export function readRegularFile(path: string | Buffer): Buffer | undefined {
  const file = openIfThere(path)
  if (file === undefined) return undefined
  try {
    const stats = fstatSync(file)
    if (!stats.isFile()) throw notRegular(stats, path)
    return readFileSync(file)
  } finally {
    closeSync(file)
  }
}

/** Opens a file for reading without waiting for a writer; undefined when there is none. */
export function openIfThere(path: string | Buffer): number | undefined {
  try {
    return openSync(path, constants.O_RDONLY | constants.O_NONBLOCK)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

/** Says it as a failed call to the system does. */
export function notRegular(stats: Stats, path: string | Buffer): Error {
  const code = stats.isDirectory() ? 'EISDIR' : 'ENOTREG'
  const message = `${code}: this is not a regular file: ${path.toString()}`
  return Object.assign(new Error(message), { code, syscall: 'open', path: path.toString() })
}
