import { lstatSync, readdirSync, type Stats } from 'node:fs'
import { join } from 'node:path'

/** Bytes that files and folders take, without following links. */
export function bytesOf(paths: readonly string[]): number {
  return paths.reduce((sum, path) => sum + bytesAt(path, lstatSync(path, { throwIfNoEntry: false })), 0)
}

function bytesAt(path: string, stats: Stats | undefined): number {
  if (stats === undefined) return 0
  if (!stats.isDirectory()) return stats.size
  return bytesOf(readdirSync(path).map((name) => join(path, name)))
}
