/** Looks for the file that ranks the top risks: source after source, and no further than the first that does. */

import path from 'node:path'
import { isoTime } from '../../core/iso-time.ts'
import type { OutputReading } from '../../core/output-file.ts'
import { discoverRepository, type Discovery } from '../../git/discover.ts'
import { findMarkdownCandidates } from '../../git/markdown-candidates.ts'
import { originUrl } from '../../git/origin.ts'
import {
  chooseTarget,
  isInSkillsDir,
  type CheckedFile,
  type RunFiles,
  type Shortfall,
} from '../../policy/ceo-review/output-file.ts'
import { rankedRisksGap, TEXT_LIMIT_BYTES } from '../../policy/ceo-review/ranked-risks.ts'
import { filesOf, readOutputFile, realPathOf } from '../../store/output-file.ts'
import { projectSlug } from '../../store/slug.ts'
import type { SkillRun, TouchedFile } from '../../transcript/facts.ts'
import type { HookCall } from '../call.ts'

export interface Review {
  readonly call: HookCall
  readonly run: SkillRun
  /** When the skill was loaded, in milliseconds since the epoch. */
  readonly loadedMs: number
  /** An earlier stop of the run was blocked; then the file that the block asked for counts as well. */
  readonly wasBlocked: boolean
}

export type Search =
  | { readonly kind: 'met'; readonly file: string }
  | {
      readonly kind: 'unmet'
      /** In the order in which they were looked at. */
      readonly checked: readonly CheckedFile[]
      /** Absolute path of the file that a block asks for. */
      readonly target: string
    }
  /** The repository cannot be looked at, so nothing may be held. */
  | { readonly kind: 'skipped'; readonly reason: 'not-owner' | 'unsupported-format' }

/** How long the slowest text takes (test/unit/ceo-review). */
const READING_MS_PER_KIB = 4

/**
 * @throws GateError GATE_GIT, GATE_SLUG, GATE_TIMEOUT: then it is not known whether a file ranks the risks
 */
export async function searchRankedRisks(review: Review): Promise<Search> {
  const { call, run } = review
  const repository = discoverRepository(call.payload.cwd)
  const roots = rootsOf(call, repository)
  const files = runFilesOf(call, run)
  const checked: CheckedFile[] = []
  const seen = new Set<string>()

  const firstToMeet = (candidates: readonly string[]): string | undefined =>
    candidates.find((file) => {
      if (seen.has(file)) return false
      seen.add(file)
      const verdict = examine(file, review, roots)
      if (typeof verdict !== 'string') checked.push({ path: file, shortfall: verdict })
      return verdict === 'ranks-risks'
    })
  const met = (file: string): Search => ({ kind: 'met', file: path.basename(file) })

  const own = firstToMeet([
    ...(files.named === undefined ? [] : [files.named]),
    ...files.written.toReversed(),
  ])
  if (own !== undefined) return met(own)

  const changed = await findMarkdownCandidates(repository)
  const inRepository = changed.kind === 'found' ? firstToMeet(changed.files) : undefined
  if (inRepository !== undefined) return met(inRepository)

  const folders = await ceoPlanFolders(call)
  const plan = firstToMeet(folders.flatMap((folder) => plansIn(folder)))
  if (plan !== undefined) return met(plan)

  const target = chooseTarget(
    files,
    (file) =>
      !isSkillPage(file, roots) && ['text', 'missing'].includes(readIt(file, Number.NEGATIVE_INFINITY).kind),
    path.join(folders[0] ?? call.payload.cwd, `${isoTime(call.now()).slice(0, 10)}-ceo-review.md`),
  )
  const askedFor = review.wasBlocked ? firstToMeet([target]) : undefined
  if (askedFor !== undefined) return met(askedFor)
  return changed.kind === 'skipped'
    ? { kind: 'skipped', reason: changed.reason }
    : { kind: 'unmet', checked, target }
}

function examine(
  file: string,
  review: Review,
  roots: readonly string[],
): 'ranks-risks' | 'passed-over' | Shortfall {
  const { deadline } = review.call
  deadline.check(`reading ${file}`)
  if (isInSkillsDir(file, roots)) return 'passed-over'
  const reading = readIt(file, review.loadedMs)
  if (reading.kind !== 'text') return reading
  if (isSkillPage(file, roots)) return 'passed-over'
  deadline.check(`reading ${file}`, (reading.text.length / 1024) * READING_MS_PER_KIB)
  return rankedRisksGap(reading.text) ?? 'ranks-risks'
}

const readIt = (file: string, sinceMs: number): OutputReading =>
  readOutputFile(file, { sinceMs, limitBytes: TEXT_LIMIT_BYTES })

const isSkillPage = (file: string, roots: readonly string[]): boolean =>
  isInSkillsDir(file, roots) || isInSkillsDir(realPathOf(file), roots)

/** Folders from which a `skills` directory is judged: the project's as the session spells it and in truth, and ours. */
function rootsOf(call: HookCall, repository: Discovery): readonly string[] {
  const { cwd } = call.payload
  const realCwd = realPathOf(cwd)
  const root = repository.kind === 'tree' ? repository.root : realCwd
  const below = path.relative(root, realCwd)
  const spelled = below !== '' && cwd.endsWith(`${path.sep}${below}`) ? cwd.slice(0, -below.length - 1) : cwd
  return [root, spelled, ...stateRootsOf(call).map((folder) => path.join(folder, 'projects'))]
}

function runFilesOf(call: HookCall, run: SkillRun): RunFiles {
  const { cwd } = call.payload
  const absolute = (file: TouchedFile): string => path.resolve(file.cwd ?? cwd, file.path)
  const named = call.env['GSTACK_CEO_REVIEW_OUTPUT'] ?? ''
  return {
    named: named === '' ? undefined : path.resolve(cwd, named.replace(/^~(?=\/|$)/, call.home)),
    written: run.written.map(absolute),
    read: run.markdownRead.map(absolute),
  }
}

/** Where gstack keeps reviewed plans; the skill's text names `~/.gstack` whatever the state root is. */
async function ceoPlanFolders(call: HookCall): Promise<readonly string[]> {
  const { env, home, payload } = call
  const slug = await projectSlug({ env, home, cwd: payload.cwd, originUrl })
  return stateRootsOf(call).map((root) => path.join(root, 'projects', slug, 'ceo-plans'))
}

const stateRootsOf = ({ paths, home }: HookCall): readonly string[] => [
  ...new Set([paths.root, path.join(home, '.gstack')]),
]

const plansIn = (folder: string): readonly string[] =>
  filesOf(folder)
    .filter((name) => name.endsWith('.md'))
    .map((name) => path.join(folder, name))
