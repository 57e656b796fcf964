/** Multi-step operations of git that are open in a work tree, told by the files that git keeps for them. */

import { existsSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { OpenOperation } from '../core/baseline.ts'
import { hasErrno } from '../core/errors.ts'
import { asOid, type Oid } from '../core/ids.ts'
import { readIfThere } from './read-file.ts'

/** In the order of precedence: a rebase stopped at a conflict has CHERRY_PICK_HEAD as well. */
const SIGNS: readonly (readonly [string, OpenOperation])[] = [
  ['rebase-merge', 'rebase'],
  ['rebase-apply/applying', 'am'],
  ['rebase-apply', 'rebase'],
  ['CHERRY_PICK_HEAD', 'cherry-pick'],
  ['REVERT_HEAD', 'revert'],
  ['sequencer', 'cherry-pick'],
  ['BISECT_LOG', 'bisect'],
  ['MERGE_HEAD', 'merge'],
]

export const readOperation = (gitDir: string): OpenOperation | undefined =>
  SIGNS.find(([name]) => existsSync(path.join(gitDir, name)))?.[1]

const MERGE_FILES = ['MERGE_HEAD', 'MERGE_MSG', 'MERGE_MODE', 'AUTO_MERGE'] as const

/** Content of the files that make a merge a merge, in latin1. */
export function readMergeFiles(gitDir: string): Readonly<Record<string, string>> {
  return Object.fromEntries(
    MERGE_FILES.flatMap((name) => {
      const content = readIfThere(path.join(gitDir, name))?.toString('latin1')
      return content === undefined ? [] : [[name, content] as const]
    }),
  )
}

/** Commits that a MERGE_HEAD names, several for an octopus. */
export const mergeHeadsIn = (text: string): readonly Oid[] => text.match(/^[0-9a-f]{40}$/gm)?.map(asOid) ?? []

/** Makes a concluded merge an open one again; files that are there stay as they are, but for those cut off by a kill. */
export function writeMergeFiles(gitDir: string, files: Readonly<Record<string, string>>): void {
  for (const [name, content] of Object.entries(files)) {
    const file = path.join(gitDir, name)
    const found = readIfThere(file)?.toString('latin1')
    if (found !== undefined && !isCutOff(found, content)) continue
    try {
      // What is cut off is filled without emptying it first, so that two who fill it do not disturb each other.
      writeFileSync(file, Buffer.from(content, 'latin1'), { flag: found === undefined ? 'wx' : 'r+' })
    } catch (error) {
      if (!hasErrno(error, 'EEXIST')) throw error
    }
  }
}

/** Another merge that somebody has opened since may begin alike; what ends in a whole line is taken for theirs. */
const isCutOff = (found: string, content: string): boolean =>
  found.length < content.length && content.startsWith(found) && !found.endsWith('\n')
