import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { hasErrno } from '../core/errors.ts'

/**
 * Makes a folder of ours and those above it, mode 0700. One that is there is left as it is.
 *
 * By hand, because Node's recursive `mkdir` never ends where a file system refuses with ENOENT, as `/proc` does.
 */
export function makeFolder(folder: string): void {
  try {
    mkdirSync(folder, { mode: 0o700 })
  } catch (error) {
    if (hasErrno(error, 'EEXIST')) return
    const parent = path.dirname(folder)
    if (!hasErrno(error, 'ENOENT') || parent === folder) throw error
    makeFolder(parent)
    mkdirSync(folder, { mode: 0o700 })
  }
}
