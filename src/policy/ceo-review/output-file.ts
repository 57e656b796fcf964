/** Which files may hold the findings of a review, and which one a block asks for. */

import path from 'node:path'
import type { UnreadOutput } from '../../core/output-file.ts'
import type { RankedRisksGap } from './ranked-risks.ts'

export type Shortfall = UnreadOutput | RankedRisksGap

export interface CheckedFile {
  /** Absolute. */
  readonly path: string
  readonly shortfall: Shortfall
}

/** Files that a run named or touched; absolute paths, oldest first. */
export interface RunFiles {
  /** `GSTACK_CEO_REVIEW_OUTPUT` */
  readonly named: string | undefined
  readonly written: readonly string[]
  readonly read: readonly string[]
}

/**
 * The file that a block asks for: the named one, else the Markdown file that the run wrote last, else the plan that it
 * read last.
 *
 * @param canHold whether findings can be written to a file; a skill's own page is none
 * @param fallback where gstack keeps reviewed plans
 */
export function chooseTarget(files: RunFiles, canHold: (file: string) => boolean, fallback: string): string {
  if (files.named !== undefined && canHold(files.named)) return files.named
  const holds = (matches: (file: string) => boolean) => (file: string) => matches(file) && canHold(file)
  return (
    files.written.findLast(holds(isMarkdown)) ??
    files.read.findLast(holds(isPlan)) ??
    files.read.findLast(holds(isNoHousePage)) ??
    fallback
  )
}

const isMarkdown = (file: string): boolean => /\.(?:md|mdx|markdown)$/i.test(file)

const isPlan = (file: string): boolean =>
  /plan/i.test(path.basename(file)) || /^(?:ceo-)?plans$/i.test(path.basename(path.dirname(file)))

/** Pages that every project has, and that a review reads on its way. */
const isNoHousePage = (file: string): boolean =>
  !/^(?:readme|claude|agents|todos?|changelog)\./i.test(path.basename(file))

/**
 * Whether a path leads through a `skills` directory, as the pages of a skill do: judged from the project's root, so that
 * a project below a folder of that name is none.
 *
 * @param roots of the project and of the state root's projects, in every spelling
 */
export function isInSkillsDir(file: string, roots: readonly string[]): boolean {
  const root = roots.find((folder) => file.startsWith(`${folder}${path.sep}`))
  const judged = root === undefined ? file : path.relative(root, file)
  return path.dirname(judged).split(path.sep).includes('skills')
}
