import { rmSync } from 'node:fs'
import path from 'node:path'
import { makeStateFolder, namesIn } from './folder.ts'

const scratchOf = (sessionDir: string): string => path.join(sessionDir, 'scratch')

/** A session's directory for files of one pass, which have its process id in their names. */
export function scratchDir(sessionDir: string): string {
  const folder = scratchOf(sessionDir)
  makeStateFolder(folder)
  return folder
}

/** Removes what a pass that is gone left there. */
export function sweepScratch(sessionDir: string, pid: number): void {
  const isLeft = new RegExp(`^[a-z]+-${String(pid)}(?:-|$)`)
  const names = namesIn(scratchOf(sessionDir)).filter((name) => isLeft.test(name))
  if (names.length === 0) return
  const folder = scratchDir(sessionDir)
  for (const name of names) rmSync(path.join(folder, name), { recursive: true, force: true })
}
