/** Everything of a folder, to the byte and the stat data: what looks may change nothing but access times. */

import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'

/** @param except a folder to leave out */
export function everythingIn(folder: string, except = ''): Readonly<Record<string, string>> {
  const found: Record<string, string> = {}
  const visit = (path: string): void => {
    if (path === except) return
    const stat = lstatSync(path, { bigint: true })
    const content = stat.isFile()
      ? createHash('sha256').update(readFileSync(path)).digest('hex')
      : stat.isSymbolicLink()
        ? readlinkSync(path)
        : ''
    found[path] = [stat.ino, stat.mode, stat.nlink, stat.size, stat.mtimeNs, stat.ctimeNs, content].join(' ')
    if (stat.isDirectory()) for (const name of readdirSync(path)) visit(join(path, name))
  }
  visit(folder)
  return found
}
