/**
 * Work of passes that could not say so: they were killed, or ended in an error. It waits in the session's directory until
 * a check tells it.
 */

import { existsSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { Deadline } from '../core/deadline.ts'
import type { RepoPath } from '../core/ids.ts'
import { appendJsonLines, readJsonLines } from './json-lines.ts'
import { lockSession } from './session-lock.ts'

export type LateWork =
  | {
      readonly kind: 'put-back'
      readonly root: string
      readonly path: RepoPath
      /** Absolute path of the kept copy; undefined when nothing stood there, or only an index entry went back. */
      readonly copy: string | undefined
      readonly onlyStaged: boolean
    }
  | { readonly kind: 'undone'; readonly root: string; readonly lines: readonly string[] }

const fileOf = (sessionDir: string): string => path.join(sessionDir, 'late.jsonl')

export function noteLate(sessionDir: string, work: readonly LateWork[]): void {
  appendJsonLines(fileOf(sessionDir), work)
}

/**
 * Takes what waits, for one check to tell.
 *
 * @param take told what is taken before it goes, so that a kill in between loses nothing
 */
export async function takeLate(
  sessionDir: string,
  deadline: Deadline,
  take: (work: readonly LateWork[]) => void,
): Promise<readonly LateWork[]> {
  if (!existsSync(fileOf(sessionDir))) return []
  const lock = await lockSession(sessionDir, deadline)
  try {
    const work = readLate(sessionDir)
    take(work)
    rmSync(fileOf(sessionDir), { force: true })
    return work
  } finally {
    lock.release()
  }
}

/** Each once, though two passes may have found it. */
const readLate = (sessionDir: string): readonly LateWork[] => {
  const lines = readJsonLines(fileOf(sessionDir)).map((work) => JSON.stringify(work))
  return [...new Set(lines)].map((line) => JSON.parse(line) as LateWork)
}
