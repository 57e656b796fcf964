/** What differs in one tree, judged and settled: put back, folded in or observed, and pinned anew. */

import { isoTime } from '../../core/iso-time.ts'
import type { Baseline } from '../../core/baseline.ts'
import { asRepoPath, showPath, type Oid, type RepoPath } from '../../core/ids.ts'
import type { EntriesOutcome, WorkOutcome } from '../../effects/put-back.ts'
import type { HeldLockFile } from '../../git/at-work.ts'
import type { PathState } from '../../git/compare.ts'
import type { SettledPath } from '../../git/repin.ts'
import type { Survey } from '../../git/survey.ts'
import { changesIndex, proofOf, type Judgement } from '../../judge/path.ts'
import { workOrders } from '../../judge/work-orders.ts'
import type { BlockedFile } from '../../policy/investigate/block-text.ts'
import { writePins } from '../../store/baseline-file.ts'
import type { Pass } from '../../store/in-flight.ts'
import { keepRawCopy, rawCopyPath, readRawCopy } from '../../store/raw-copies.ts'
import { noteFolds, type NotedFold } from '../../store/ledger.ts'
import { scratchDir } from '../../store/scratch.ts'
import type { HookCall } from '../call.ts'

/** Where other conversion settings are noted among what was observed; no path is empty. */
const CONVERSION = asRepoPath('')
const OTHER_CONVERSION =
  'settings that convert content (core.autocrlf, core.eol, filter.*, info/attributes) changed; the gate goes on with those of the moment when it armed.'

export interface Settled {
  readonly told: readonly string[]
  readonly files: readonly BlockedFile[]
  readonly observed: number
  readonly heldLock: HeldLockFile | undefined
  readonly startOver: boolean
}

export interface Work {
  readonly survey: Survey
  readonly sessionDir: string
  readonly pass: Pass
  /** Another git is in the middle of a write: contents go back, and nothing else. */
  readonly heldLock: HeldLockFile | undefined
}

/** Carries out the verdicts on a tree: puts back, folds in, counts, and pins the tree as it then stands. */
export async function settle(call: HookCall, work: Work, judgements: readonly Judgement[]): Promise<Settled> {
  const { survey, sessionDir } = work
  const { baseline } = survey.pinned
  const fixes = judgements.filter(({ verdict }) => verdict.kind === 'fix-write')
  const works = new Map((await putWorkBack(call, work, fixes)).map((outcome) => [outcome.path, outcome]))
  const entries = await putIndexBack(call, work, fixes)
  const isHeld = entries?.kind === 'held'
  const failed = fixes.filter(
    (fix) => works.get(fix.state.path)?.kind === 'failed' || (isHeld && changesIndex(fix)),
  )
  const observed = judgements.filter(
    ({ state, findings, verdict }) =>
      verdict.kind === 'observed' && baseline.observed[state.path] !== findings.contentKey,
  )

  const unknown = judgements.filter(({ verdict }) => verdict.kind === 'fold' && verdict.because === 'unknown')
  const { otherConversion } = survey
  const isOtherConversion = otherConversion !== undefined && baseline.observed[CONVERSION] !== otherConversion

  const { findDropped } = await import('../../git/dropped.ts')
  const dropped = findDropped(
    {
      git: survey.view.git,
      baseline,
      head: survey.head.oid,
      readRawCopy: (sha256) => readRawCopy(sessionDir, sha256),
    },
    judgements.filter(isReplaced).map(({ state }) => state),
  )
  const { repin } = await import('../../git/repin.ts')
  const written = entries?.kind === 'written' ? entries.index : undefined
  const isIndexSettled = entries === undefined || written !== undefined
  const after = repin(survey.pinned, {
    index: isIndexSettled ? (written ?? survey.delta.index) : survey.pinned.index,
    settled: judgements.map((judgement) =>
      settlePath(judgement, works.get(judgement.state.path), { survey, sessionDir }),
    ),
    changes: {
      ...(isIndexSettled ? { indexRow: written === undefined ? survey.delta.indexRow : undefined } : {}),
      ...(survey.headIsOld && isIndexSettled ? followedHead(survey) : {}),
      dropped: [...baseline.dropped, ...dropped.map(({ path }) => path)],
      observed: {
        ...baseline.observed,
        ...contentKeys(observed),
        ...(otherConversion === undefined ? {} : { [CONVERSION]: otherConversion }),
      },
      failed: contentKeys(failed),
      unknown: withContents(baseline.unknown, unknown),
      originals: withContents(baseline.originals, judgements.filter(isProvenOnce)),
      originallyAbsent: [
        ...new Set([...baseline.originallyAbsent, ...judgements.filter(isProvenOnce).flatMap(absentPath)]),
      ],
    },
    joins: (path) => survey.followedMode(path) !== undefined,
  })
  writePins(sessionDir, after)
  noteFolds(
    sessionDir,
    judgements.flatMap((judgement) => foldOf(judgement, baseline, call.now())),
  )

  const isNews = ({ state, findings }: Judgement): boolean =>
    baseline.failed[state.path] !== findings.contentKey
  return {
    files: fixes.flatMap((fix) =>
      failed.includes(fix) && !isNews(fix) ? [] : [blockedFile(fix, works.get(fix.state.path))],
    ),
    observed: observed.length + unknown.length + (isOtherConversion ? 1 : 0),
    told: [
      ...(isOtherConversion ? [OTHER_CONVERSION] : []),
      ...dropped.map(
        ({ path, copy }) =>
          `${showPath(path)} lost its uncommitted text, which git does not have; it is kept in: ${rawCopyPath(sessionDir, copy)}`,
      ),
    ],
    heldLock: isHeld ? (work.heldLock ?? { file: `${baseline.gitDir}/index.lock`, ageMs: 0 }) : undefined,
    startOver: entries?.kind === 'moved',
  }
}

async function putWorkBack(
  call: HookCall,
  work: Work,
  fixes: readonly Judgement[],
): Promise<readonly WorkOutcome[]> {
  const { survey, sessionDir, pass } = work
  const orders = await workOrders(survey, fixes, {
    isGitAtWork: work.heldLock !== undefined,
    readRawCopy: (sha256) => readRawCopy(sessionDir, sha256),
  })
  if (orders.length === 0) return []
  const { putFilesBack } = await import('../../effects/put-back.ts')
  const { root, commonDir } = survey.pinned.baseline
  const { deadline } = call
  return putFilesBack(orders, { root, gitDir: commonDir, sessionDir, pass, deadline, now: call.now() })
}

/** @returns undefined when no entry has to change */
async function putIndexBack(
  call: HookCall,
  work: Work,
  fixes: readonly Judgement[],
): Promise<EntriesOutcome | undefined> {
  const changed = fixes.filter(changesIndex)
  if (changed.length === 0) return undefined
  if (work.heldLock !== undefined) return { kind: 'held' }
  const { putEntriesBack } = await import('../../effects/put-back.ts')
  const change = {
    root: work.survey.pinned.baseline.root,
    gitDir: work.survey.pinned.baseline.gitDir,
    index: work.survey.delta.index,
    storedIndex: work.survey.delta.storedIndex,
    set: changed.flatMap(({ findings }) => findings.target.entries),
    remove: changed.map(({ state }) => state.path),
  }
  const { stagedBlobs } = work.survey.pinned.baseline
  return await putEntriesBack(change, {
    pass: work.pass,
    env: call.env,
    deadline: call.deadline,
    scratch: scratchDir(work.sessionDir),
    stagedBlob(oid) {
      const sha256 = stagedBlobs[oid]
      return sha256 === undefined ? undefined : readRawCopy(work.sessionDir, sha256)
    },
  })
}

function settlePath(
  { state, findings, verdict }: Judgement,
  outcome: WorkOutcome | undefined,
  using: Pick<Work, 'survey' | 'sessionDir'>,
): SettledPath {
  const { path, now } = state
  const row = now.work.kind === 'odd' ? undefined : now.work.row
  const isMissing = verdict.kind === 'same' && now.work.kind === 'absent' && now.entries.length === 0
  if (verdict.kind === 'fold' || isMissing) return { path, work: pinContent(state, using), row }
  // Left for the next check, so the path has to be looked at again.
  if (verdict.kind === 'fix-write' && verdict.work && outcome === undefined)
    return { path, work: { kind: 'keep' }, row: undefined }
  if (verdict.kind !== 'fix-write' || outcome === undefined) return { path, work: { kind: 'keep' }, row }
  if (outcome.kind === 'failed') return { path, work: { kind: 'keep' }, row: undefined }
  const { work } = findings.target
  return { path, work: work.kind === 'entry' ? { kind: 'entry' } : work, row: outcome.row }
}

/** Folded content is what later checks put back, so it is kept unless the index entry gives it. */
function pinContent(
  { path, now }: PathState,
  { survey, sessionDir }: Pick<Work, 'survey' | 'sessionDir'>,
): SettledPath['work'] {
  const { work, entries } = now
  // A path that HEAD has is gated in its absence, too.
  const isLeft = entries.length === 0 && survey.followedMode(path) === undefined
  if (isLeft && (work.kind === 'absent' || work.kind === 'odd')) return { kind: 'entry' }
  if (work.kind === 'absent' || work.kind === 'odd') return { kind: work.kind }
  if (work.kind === 'link') return { kind: 'link', target: work.target }
  if (entries.length === 1 && entries[0]?.stage === 0 && entries[0].oid === work.oid) return { kind: 'entry' }
  const from = { root: survey.pinned.baseline.root, path, row: work.row }
  keepRawCopy(sessionDir, work.sha256, work.content, from)
  return { kind: 'file', sha256: work.sha256, oid: work.oid, mode: work.mode }
}

/** Old content took the place of what the path held, and holds none of it. */
const isReplaced = ({ verdict, findings }: Judgement): boolean =>
  verdict.kind === 'fold' && findings.work !== 'replay' && findings.entries !== 'replay'

/** A fold, with the raw copies of what the path had until now. */
function foldOf(judgement: Judgement, { root, stagedBlobs }: Baseline, at: Date): NotedFold[] {
  const { state, verdict } = judgement
  if (verdict.kind !== 'fold') return []
  const { work, entries } = state.before
  const copies = [
    ...(work.kind === 'file' ? [work.sha256] : []),
    ...entries.flatMap(({ oid }) => stagedBlobs[oid] ?? []),
  ]
  return [{ at: isoTime(at), root, path: state.path, ...proofOf(judgement), copies: [...new Set(copies)] }]
}

const contentKeys = (judgements: readonly Judgement[]): Readonly<Record<RepoPath, string>> =>
  Object.fromEntries(judgements.map(({ state, findings }) => [state.path, findings.contentKey]))

function followedHead({ pinned, head }: Survey): Partial<Baseline> {
  const { accepted } = pinned.baseline
  return {
    head: { oid: head.oid, ref: head.ref },
    accepted: accepted.includes(head.oid) ? accepted : [...accepted, head.oid],
  }
}

/** Old content whose proof may be gone at the next check: a merge that is concluded, a remote branch that is pruned. */
const isProvenOnce = ({ verdict, findings }: Judgement): boolean =>
  verdict.kind === 'fold' &&
  [findings.work, findings.entries].some((evidence) => evidence === 'replay' || evidence === 'upstream')

const absentPath = ({ state: { path, now } }: Judgement): RepoPath[] =>
  now.work.kind === 'absent' || now.entries.length === 0 ? [path] : []

type BlobsByPath = Readonly<Record<RepoPath, readonly Oid[]>>

/** Adds what the paths hold, so that it is never searched for again. */
function withContents(known: BlobsByPath, judgements: readonly Judgement[]): BlobsByPath {
  const added = judgements.map(({ state: { path, now } }) => {
    const work = now.work.kind === 'file' && now.work.oid !== undefined ? [now.work.oid] : []
    const blobs = [...(known[path] ?? []), ...work, ...now.entries.map(({ oid }) => oid)]
    return [path, [...new Set(blobs)]] as const
  })
  return { ...known, ...Object.fromEntries(added) }
}

function blockedFile({ state, verdict }: Judgement, outcome: WorkOutcome | undefined): BlockedFile {
  const path = showPath(state.path)
  const isLeft = outcome === undefined && verdict.kind === 'fix-write' && verdict.work
  if (isLeft) return { path, failure: 'another git is at work; the next check puts it back' }
  if (outcome === undefined) return { path, onlyStaged: true }
  if (outcome.kind === 'failed') return { path, failure: outcome.why }
  return { path, ...(outcome.copy === undefined ? {} : { copy: outcome.copy }) }
}
