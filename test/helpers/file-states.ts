import { createHash } from 'node:crypto'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'

/** What stands at each path: kind, permissions and digest of the content. Keys hold one byte per character. */
export type FileStates = Readonly<Record<string, string>>

/** Every file and link of a work tree; a nested repository counts with all its files but its `.git`. */
export const readWorkTree = (folder: string): FileStates => readFiles(folder, (path) => isNamed(path, '.git'))

/** Files inside a git directory but objects, logs and the index. */
export const readGitFolder = (folder: string): FileStates =>
  readFiles(folder, (path) => ['objects', 'logs', 'index'].some((name) => isNamed(path, name)))

const isNamed = (path: string, name: string) => path === name || path.endsWith(`/${name}`)

function readFiles(folder: string, isLeftOut: (path: string) => boolean): FileStates {
  const states: Record<string, string> = {}
  const visit = (relative: string) => {
    const absolute = bytesOf(relative === '' ? folder : `${folder}/`, relative)
    for (const entry of readdirSync(absolute, { encoding: 'latin1', withFileTypes: true })) {
      const path = relative === '' ? entry.name : `${relative}/${entry.name}`
      if (isLeftOut(path)) continue
      if (entry.isDirectory()) visit(path)
      else states[path] = stateOf(bytesOf(`${folder}/`, path))
    }
  }
  visit('')
  return states
}

const bytesOf = (folder: string, latin1Path: string) =>
  Buffer.concat([Buffer.from(folder), Buffer.from(latin1Path, 'latin1')])

/** @returns `absent` when nothing is there */
export function stateOf(path: string | Buffer): string {
  const stat = lstatSync(path, { throwIfNoEntry: false })
  if (stat === undefined) return 'absent'
  if (stat.isSymbolicLink()) return `link ${readlinkSync(path, 'latin1')}`
  if (!stat.isFile()) return 'other'
  return `file ${(stat.mode & 0o7777).toString(8)} ${createHash('sha256').update(readFileSync(path)).digest('hex')}`
}
