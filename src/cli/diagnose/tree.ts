/** One guarded work tree against its baseline, as the next check would judge it; changes nothing. */

import { setTimeout as sleep } from 'node:timers/promises'
import type { Baseline, OpenOperation } from '../../core/baseline.ts'
import type { Deadline } from '../../core/deadline.ts'
import type { Env } from '../../core/env.ts'
import type { Oid, RepoPath, Sha256 } from '../../core/ids.ts'
import { waitForGit, type HeldLockFile } from '../../git/at-work.ts'
import { mergeHeadsIn, readOperation } from '../../git/operation.ts'
import { readHead, readRefs, readStash, type HeadState } from '../../git/refs.ts'
import { folderObstacle, obstacleOf, type WorkOrder } from '../../git/restore.ts'
import { surveyTree, type AsIf, type Survey } from '../../git/survey.ts'
import {
  baselineOf,
  baselineWith,
  headBack,
  findCommits,
  hasFixCommits,
  isUndone,
  mergeFilesOf,
  planTips,
  type PlannedTip,
} from '../../judge/commits.ts'
import { changesIndex, judgePath, type Judgement } from '../../judge/path.ts'
import { workOrders } from '../../judge/work-orders.ts'
import type { OwnContent } from '../../core/content.ts'
import { readPinnedRefs, readPins, type SavedPins } from '../../store/baseline-file.ts'
import { readRawCopy } from '../../store/raw-copies.ts'
import { isKeptFull, KEPT_FULL } from '../../store/kept.ts'
import { lockTree } from '../../store/session-lock.ts'
import { diffOf } from './diff.ts'

/** A path that differs from the baseline. */
export interface DiagnosedPath {
  readonly judgement: Judgement
  /** Why it cannot be put back; undefined when it can, or need not. */
  readonly obstacle: string | undefined
  /** Unified diff from what the baseline has to what is there now, where it was asked for. */
  readonly diff: string | undefined
}

/** A ref or stash entry that moved; a side is undefined where there is none. */
export interface MovedRef {
  readonly name: string
  readonly then: Oid | undefined
  readonly now: Oid | undefined
}

export interface TreeDiagnosis {
  readonly baseline: Baseline
  readonly head: HeadState
  readonly operation: OpenOperation | undefined
  readonly refs: readonly MovedRef[]
  readonly stash: {
    readonly pinned: readonly Oid[]
    readonly gone: readonly Oid[]
    readonly gained: readonly Oid[]
  }
  /** Another git is in the middle of a write. */
  readonly heldLock: HeldLockFile | undefined
  readonly tips: readonly PlannedTip[]
  readonly paths: readonly DiagnosedPath[]
}

export interface DiagnoseWith {
  readonly env: Env
  readonly deadline: Deadline
  readonly sessionDir: string
  /** Existing folder for temporary files, outside the state root and the repository. */
  readonly scratch: string
  readonly withDiffs: boolean
}

const MOST_ATTEMPTS = 5
const RETRY_MS = 20

/**
 * Answers for one moment: when a check of the session came between, it is asked again.
 *
 * @returns undefined when the tree is no longer pinned
 */
export async function diagnoseTree(
  { root, commonDir }: Baseline,
  using: DiagnoseWith,
): Promise<TreeDiagnosis | undefined> {
  const { sessionDir, deadline } = using
  for (let attempt = 1; ; attempt++) {
    await untilUnlocked(commonDir, deadline)
    const pins = readPins(sessionDir, root)
    if (pins === undefined) return undefined
    const found = await diagnoseOnce(pins, using)
    await untilUnlocked(commonDir, deadline)
    const after = readPins(sessionDir, root)
    if (attempt === MOST_ATTEMPTS || (after !== undefined && isSame(pins, after))) return found
    await sleep(RETRY_MS)
  }
}

/** A lock that were held while judging could make a hook give up. */
async function untilUnlocked(commonDir: string, deadline: Deadline): Promise<void> {
  const lock = await lockTree(commonDir, deadline)
  lock.release()
}

const isSame = (a: SavedPins, b: SavedPins): boolean =>
  JSON.stringify(a.baseline) === JSON.stringify(b.baseline) &&
  a.index.equals(b.index) &&
  a.table.equals(b.table)

async function diagnoseOnce(pins: SavedPins, using: DiagnoseWith): Promise<TreeDiagnosis> {
  const { baseline } = pins
  const { env, deadline, scratch, sessionDir } = using
  const pinnedRefs = readPinnedRefs(sessionDir, baseline.root)
  const surveyWith = { env, deadline, scratch, readRefs: () => pinnedRefs }
  const found = await findCommits(pins, surveyWith)
  const lockOfCommits = hasFixCommits(found) ? await waitForGit(baseline, deadline) : undefined
  const tips =
    found === undefined ? [] : planTips(baseline, found, { isGitAtWork: lockOfCommits !== undefined })
  const current =
    found === undefined ? pins : { ...pins, baseline: tips.reduce(baselineWith, baselineOf(baseline, found)) }
  const survey = await surveyTree(current, {
    ...surveyWith,
    asIf: asIfUndone(baseline, tips),
    also: (Object.keys(baseline.observed) as RepoPath[]).filter((path) => path !== ''),
  })
  const differing =
    survey === undefined ? undefined : await judgePaths(survey, { tips, lockOfCommits, using })
  const stash = readStash(baseline)
  return {
    baseline,
    head: readHead(baseline),
    operation: readOperation(baseline.gitDir),
    refs: movedRefs(pinnedRefs.refs, readRefs(baseline).refs),
    stash: {
      pinned: pinnedRefs.stash,
      gone: pinnedRefs.stash.filter((oid) => !stash.includes(oid)),
      gained: stash.filter((oid) => !pinnedRefs.stash.includes(oid)),
    },
    tips,
    paths: differing?.paths ?? [],
    heldLock: differing?.heldLock ?? lockOfCommits,
  }
}

async function judgePaths(
  survey: Survey,
  {
    tips,
    lockOfCommits,
    using,
  }: { tips: readonly PlannedTip[]; lockOfCommits: HeldLockFile | undefined; using: DiagnoseWith },
): Promise<Pick<TreeDiagnosis, 'paths' | 'heldLock'>> {
  const { sessionDir, deadline, withDiffs } = using
  const { baseline } = survey.pinned
  try {
    const undone = tips.filter(isUndone).map(({ tip }) => tip.tip)
    const judgements = survey.states
      .map((state) => judgePath(state, survey, undone))
      .filter(({ verdict }) => verdict.kind !== 'same')
    const fixes = judgements.filter(({ verdict }) => verdict.kind === 'fix-write')
    const heldLock = lockOfCommits ?? (fixes.length > 0 ? await waitForGit(baseline, deadline) : undefined)
    const readCopy = (sha256: Sha256): OwnContent => readRawCopy(sessionDir, sha256)
    const orders = await workOrders(survey, fixes, {
      isGitAtWork: heldLock !== undefined,
      readRawCopy: readCopy,
    })
    const byPath = new Map(orders.map((order) => [order.path, order]))
    const isFull = isKeptFull(sessionDir)
    const paths: DiagnosedPath[] = []
    for (const judgement of judgements) {
      const { path } = judgement.state
      paths.push({
        judgement,
        obstacle: obstacleFor(judgement, byPath.get(path), { root: baseline.root, heldLock, isFull }),
        diff: withDiffs ? await diffOf(judgement, survey.view, readCopy) : undefined,
      })
    }
    return { paths, heldLock }
  } finally {
    survey.view.close()
  }
}

function obstacleFor(
  judgement: Judgement,
  order: WorkOrder | undefined,
  {
    root,
    heldLock,
    isFull,
  }: { readonly root: string; readonly heldLock: HeldLockFile | undefined; readonly isFull: boolean },
): string | undefined {
  const { verdict } = judgement
  if (verdict.kind !== 'fix-write') return undefined
  const isHeld = heldLock !== undefined && ((verdict.work && order === undefined) || changesIndex(judgement))
  if (isHeld) return `another git holds ${heldLock.file}`
  if (order === undefined) return undefined
  return isFull ? KEPT_FULL : (obstacleOf(order) ?? folderObstacle(root, order))
}

/** How HEAD stands once the commits are undone; undefined when that changes nothing of it. */
function asIfUndone(baseline: Baseline, tips: readonly PlannedTip[]): AsIf | undefined {
  const moved = new Map<string, Oid>()
  let mergeHeads: readonly Oid[] | undefined
  let head = readHead(baseline)
  for (const { tip, plan, isHeldBack } of tips) {
    if (isHeldBack) continue
    if (plan.kind === 'move') {
      moved.set(tip.name, plan.to)
      const heads = mergeFilesOf(baseline, tip, plan.to)['MERGE_HEAD']
      if (heads !== undefined) mergeHeads = mergeHeadsIn(heads)
    }
    if (plan.kind === 'leave-branch') head = { kind: 'commit', ...headBack(baseline) }
  }
  if (head.kind !== 'commit') return { head, mergeHeads }
  const to = moved.get(head.ref ?? 'HEAD')
  return { head: to === undefined ? head : { ...head, oid: to }, mergeHeads }
}

/** Our own refs and the stash are told elsewhere. */
function movedRefs(then: Readonly<Record<string, Oid>>, now: ReadonlyMap<string, Oid>): readonly MovedRef[] {
  const names = [...new Set([...Object.keys(then), ...now.keys()])].sort()
  return names
    .filter((name) => name !== 'refs/stash' && !name.startsWith('refs/gstack-gates/'))
    .filter((name) => then[name] !== now.get(name))
    .map((name) => ({ name, then: then[name], now: now.get(name) }))
}
