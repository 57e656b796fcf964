/** One guarded work tree against its baseline: survey, judge, put back, pin again. */

import { gitState, waitForGit, wentOn, type HeldLockFile } from '../../git/at-work.ts'
import type { SurveyWith } from '../../git/survey.ts'
import { findCommits, hasFixCommits } from '../../judge/commits.ts'
import { judgePath } from '../../judge/path.ts'
import type { BlockedFile } from '../../policy/investigate/block-text.ts'
import { readPinnedRefs, readPins, writePins, type SavedPins } from '../../store/baseline-file.ts'
import type { Pass } from '../../store/in-flight.ts'
import { sessionDirOf } from '../../store/paths.ts'
import { scratchDir } from '../../store/scratch.ts'
import { lockTree } from '../../store/session-lock.ts'
import type { HookCall } from '../call.ts'
import type { GuardedTree } from './arm.ts'
import { settleCommits } from './commits.ts'
import { takeHandedScan } from './handed-scan.ts'
import { settle } from './settle.ts'

export interface TreeOutcome {
  readonly root: string
  /** Gated files that held new content, in path order. */
  readonly files: readonly BlockedFile[]
  /** What else was done or left, a line each. */
  readonly remarks: readonly string[]
  /** Contents of excluded files that were not seen before. */
  readonly observed: number
  /** The cause was stated in time: nothing was put back. */
  readonly released: boolean
  /** Lock file of git's that kept index entries from going back. */
  readonly heldLock: HeldLockFile | undefined
  /** What the person should know though nothing was blocked, a line each. */
  readonly told: readonly string[]
}

/** How often a check starts over when somebody else's git moves something under it. */
const MOST_ATTEMPTS = 5

/**
 * Checks one tree under its lock.
 *
 * @param isReleased asked only when something would be put back; true leaves everything as it is
 */
export async function checkTree(
  call: HookCall,
  tree: GuardedTree,
  using: { readonly pass: Pass; readonly isReleased: () => Promise<boolean> },
): Promise<TreeOutcome> {
  const sessionDir = sessionDirOf(call.paths, call.payload.session)
  const surveyWith: SurveyWith = {
    env: call.env,
    deadline: call.deadline,
    scratch: scratchDir(sessionDir),
    readRefs: () => readPinnedRefs(sessionDir, tree.root),
  }
  const lock = await lockTree(tree.commonDir, call.deadline)
  try {
    let outcome = nothingFound(tree.root)
    for (let attempt = 1; attempt <= MOST_ATTEMPTS; attempt++) {
      const pinned = readPins(sessionDir, tree.root)
      if (pinned === undefined) return outcome
      const scanned = () => takeHandedScan(call, pinned)
      const found = await checkOnce(call, {
        ...using,
        pinned,
        sessionDir,
        surveyWith: { ...surveyWith, scanned },
      })
      if (found.released) return { ...nothingFound(tree.root), released: true }
      outcome = merge(outcome, found)
      if (!found.startOver) return outcome
    }
    // Git went on all the time: what it did is the next check's.
    return { ...outcome, heldLock: outcome.heldLock ?? { file: tree.gitDir, ageMs: 0 } }
  } finally {
    lock.release()
  }
}

export const nothingFound = (root: string): TreeOutcome => ({
  root,
  files: [],
  remarks: [],
  observed: 0,
  released: false,
  heldLock: undefined,
  told: [],
})

interface Checking {
  readonly pinned: SavedPins
  readonly sessionDir: string
  readonly surveyWith: SurveyWith
  readonly pass: Pass
  readonly isReleased: () => Promise<boolean>
}

type Found = TreeOutcome & { readonly startOver: boolean }

async function checkOnce(call: HookCall, checking: Checking): Promise<Found> {
  const { pinned, sessionDir, surveyWith, pass, isReleased } = checking
  const nothing = { ...nothingFound(pinned.baseline.root), startOver: false }
  const state = gitState(pinned.baseline)
  const found = await findCommits(pinned, surveyWith)
  const hasFixes = hasFixCommits(found)
  if (hasFixes && (await isReleased())) return { ...nothing, released: true }
  if (hasFixes && (await wentOn(pinned.baseline, state, []))) return { ...nothing, startOver: true }
  const heldLock = hasFixes ? await waitForGit(pinned.baseline, call.deadline) : undefined
  const commits =
    found === undefined
      ? undefined
      : await settleCommits(call, pinned, { ...found, isGitAtWork: heldLock !== undefined, pass })
  const first = {
    ...nothing,
    remarks: commits?.remarks ?? [],
    told: commits?.told ?? [],
    observed: commits?.observed ?? 0,
    heldLock,
  }
  if (commits?.startOver === true) return { ...first, startOver: true }

  const stateNow = commits === undefined ? state : gitState(pinned.baseline)
  const current = commits === undefined ? pinned : { ...pinned, baseline: commits.baseline }
  const { surveyTree } = await import('../../git/survey.ts')
  // What was looked at before commits were undone is not what the tree is now.
  const survey = await surveyTree(
    current,
    commits === undefined ? surveyWith : { ...surveyWith, scanned: undefined },
  )
  if (survey === undefined) {
    if (commits !== undefined) writePins(sessionDir, current)
    return first
  }
  try {
    const judgements = survey.states.map((state) => judgePath(state, survey, commits?.undone ?? []))
    const fixes = judgements.filter(({ verdict }) => verdict.kind === 'fix-write')
    const isFix = fixes.length > 0
    if (isFix && (await isReleased())) return { ...nothing, released: true }
    if (
      isFix &&
      (await wentOn(
        pinned.baseline,
        stateNow,
        fixes.map(({ state }) => state.now.work),
      ))
    )
      return { ...first, startOver: true }
    const lock = heldLock ?? (isFix ? await waitForGit(pinned.baseline, call.deadline) : undefined)
    const settled = await settle(call, { survey, sessionDir, pass, heldLock: lock }, judgements)
    return {
      ...first,
      ...settled,
      told: [...first.told, ...settled.told],
      heldLock: settled.heldLock ?? lock,
      observed: first.observed + settled.observed,
    }
  } finally {
    survey.view.close()
  }
}

/** What several attempts found, each file once. */
function merge(before: TreeOutcome, found: Found): TreeOutcome {
  const known = new Set(before.files.map(({ path }) => path))
  return {
    ...before,
    files: [...before.files, ...found.files.filter(({ path }) => !known.has(path))],
    remarks: [...before.remarks, ...found.remarks],
    observed: before.observed + found.observed,
    heldLock: found.heldLock,
    told: [...before.told, ...found.told],
  }
}
