import { GateError, hasErrno } from '../core/errors.ts'
import { readRegularFile } from '../native/regular-file.ts'

/**
 * Reads one of git's files.
 *
 * @returns undefined when there is no such file
 * @throws GateError GATE_GIT when a pipe or a device stands in its place
 */
export function readIfThere(file: string | Buffer): Buffer | undefined {
  try {
    return readRegularFile(file)
  } catch (cause) {
    if (!hasErrno(cause, 'ENOTREG')) throw cause
    throw new GateError('GATE_GIT', `a file of git is not a regular file: ${file.toString()}`, { cause })
  }
}
