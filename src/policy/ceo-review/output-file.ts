/** Which files may hold the findings of a review, and what is said of one that falls short. */

import path from 'node:path'
import type { RankedRisksGap } from './ranked-risks.ts'

/** What the disk says of a file before its text is looked at. */
export type Reading =
  | { readonly kind: 'missing' }
  | { readonly kind: 'not-a-file' }
  | { readonly kind: 'too-large'; readonly bytes: number }
  | { readonly kind: 'unreadable'; readonly why: string }
  /** Not modified since the load. */
  | { readonly kind: 'unchanged' }

export type Shortfall = Reading | RankedRisksGap

export interface CheckedFile {
  /** Absolute. */
  readonly path: string
  readonly shortfall: Shortfall
}

/** A file's path as it was written and with its links resolved. */
export interface Spelled {
  readonly path: string
  readonly realPath: string
}

export const isMarkdown = (file: string): boolean => /\.(?:md|mdx|markdown)$/i.test(file)

/**
 * Whether a file lies in a `skills` directory, as a skill's own pages do: judged from the project's root, so that a
 * project below a folder of that name is none.
 *
 * @param roots of the project and of the state root's projects, in every spelling
 */
export function isInSkillsDir(file: Spelled, roots: readonly string[]): boolean {
  return [file.path, file.realPath].some((spelling) => {
    const root = roots.find((folder) => spelling.startsWith(`${folder}${path.sep}`))
    const judged = root === undefined ? spelling : path.relative(root, spelling)
    return path.dirname(judged).split(path.sep).includes('skills')
  })
}

/** A file that an Edit or Write of these findings can turn into one that counts. */
export function canBeMet(shortfall: Shortfall | undefined): boolean {
  return shortfall === undefined || !['not-a-file', 'too-large', 'unreadable'].includes(shortfall.kind)
}

/**
 * The plan that the run read last: a file named so, or among plans; else the last Markdown file that is no page which
 * every project has.
 *
 * @param read oldest first
 */
export function lastPlanRead(read: readonly string[]): string | undefined {
  return read.findLast(isPlan) ?? read.findLast((file) => !/^(?:readme|claude|agents|todos?|changelog)\./i.test(path.basename(file)))
}

const isPlan = (file: string): boolean =>
  /plan/i.test(path.basename(file)) || /^(?:ceo-)?plans$/i.test(path.basename(path.dirname(file)))
