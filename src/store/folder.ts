import { lstatSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'
import { GateError, hasErrno, isMissing } from '../core/errors.ts'

/**
 * Makes a folder of ours and those above it, mode 0700. One that is there is left as it is.
 *
 * By hand, because Node's recursive `mkdir` never ends where a file system refuses with ENOENT, as `/proc` does.
 *
 * @throws GateError GATE_STATE when a link or a file stands there: what we write must not land elsewhere
 */
export function makeFolder(folder: string): void {
  // Nearly always it is there, and an error costs more than a look.
  if (isFolder(folder)) return
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (hasErrno(error, 'EEXIST') && isFolder(folder)) return
    const parent = path.dirname(folder)
    if (!hasErrno(error, 'ENOENT') || parent === folder) throw error
    makeFolder(parent)
    mkdirSync(folder, { mode: 0o700 })
  }
}

/** As {@link makeFolder}, with the folder above it held to the same. @throws GateError GATE_STATE whatever the failure */
export function makeStateFolder(folder: string): void {
  try {
    makeFolder(path.dirname(folder))
    makeFolder(folder)
  } catch (cause) {
    if (cause instanceof GateError) throw cause
    throw new GateError('GATE_STATE', `cannot make the directory ${folder}`, { cause })
  }
}

/** @throws GateError GATE_STATE when it is something else */
function isFolder(folder: string): boolean {
  const stats = lstatSync(folder, { throwIfNoEntry: false })
  if (stats === undefined || stats.isDirectory()) return stats !== undefined
  const what = stats.isSymbolicLink() ? 'a link' : 'a file'
  throw new GateError(
    'GATE_STATE',
    `a directory of the state root is ${what}; look at it and remove it: ${folder}`,
  )
}

/** Names of what is in a folder, in no order; none when it is missing. */
export function namesIn(folder: string): string[] {
  try {
    return readdirSync(folder)
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

/** Removes files and links of a folder that nobody has written since. */
export function removeOlder(folder: string, beforeMs: number): void {
  for (const name of namesIn(folder)) {
    const file = path.join(folder, name)
    const mtimeMs = lstatSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Infinity
    if (mtimeMs < beforeMs) rmSync(file, { force: true })
  }
}
