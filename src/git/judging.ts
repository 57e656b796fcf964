/** Gathers, for one changed path, what `policy/investigate/judge.ts` has to know. */

import type { Evidence, IndexEntry } from '../core/baseline.ts'
import { native } from '../native/binding.ts'
import { entryOf } from './view-index.ts'
import { findProof, type EvidenceSearch, type Proof } from './evidence.ts'
import { wantedOf, type NowContent, type PathState, type Wanted } from './compare.ts'

export interface Findings {
  /** What the path should hold once a fix is put back: its own content, or that of an old entry it was switched to. */
  readonly target: { readonly work: Wanted; readonly entries: readonly IndexEntry[] }
  readonly sameWork: boolean
  readonly sameEntries: boolean
  readonly work: Evidence
  readonly entries: Evidence
  /** What the two rest on. */
  readonly proofs: { readonly work: Proof; readonly entries: Proof }
  readonly isUnmerged: boolean
  /** Names the content for "once per content" rules. */
  readonly contentKey: string
}

/** Looks for evidence where work tree or index differ from the baseline; what is the same is not asked about. */
export function gatherFindings(state: PathState, search: EvidenceSearch): Findings {
  const { path, before, now } = state
  const same = sameEntries(before.entries, now.entries)
  const entries = same ? UNCHANGED : proofOfEntries(state, search)
  const target = same ? before : targetOf(state, entries.evidence, search)
  const sameWork = isSameWork(before.work, now.work)
  const work = sameWork ? UNCHANGED : proofOfWork(state, target.work, search)
  return {
    target,
    sameWork,
    sameEntries: same,
    work: work.evidence,
    entries: entries.evidence,
    proofs: { work, entries },
    isUnmerged: now.entries.some(({ stage }) => stage !== 0),
    contentKey: `${keyOf(now.work)} ${now.entries.map(({ stage, oid }) => `${String(stage)}:${oid}`).join(',')} ${path}`,
  }
}

const UNCHANGED: Proof = { evidence: 'baseline' }

/**
 * Of changed entries those of an old commit stay and say what the file should hold; any others go back with the file.
 * After a switch to another old commit that has other content there, "back" is what was checked out.
 */
function targetOf(
  { path, before, now }: PathState,
  entries: Evidence,
  { git, head, baseline }: EvidenceSearch,
): Findings['target'] {
  if (entries === 'unknown') return { work: before.work, entries: now.entries }
  if (entries !== 'none' && entries !== 'baseline')
    return { work: wantedOf(now.entries), entries: now.entries }
  if (head === undefined || head === baseline.head.oid) return before
  const then = native().blobAt(git, baseline.head.oid, path)
  const checkedOut = native().blobAt(git, head, path)
  if (then?.oid === checkedOut?.oid) return before
  const there = checkedOut === undefined ? [] : [entryOf(path, checkedOut)]
  return { work: wantedOf(there), entries: there }
}

function proofOfEntries({ path, before, now }: PathState, search: EvidenceSearch): Proof {
  if (now.entries.length === 0) return findProof(search, path, { kind: 'absent', fromIndex: true })
  const changed = now.entries.filter(
    (entry) =>
      !before.entries.some(
        (other) => other.oid === entry.oid && other.mode === entry.mode && other.stage === entry.stage,
      ),
  )
  const found = changed.map(({ oid }) => findProof(search, path, { kind: 'blob', oid }))
  return (
    found.find(({ evidence }) => evidence === 'none') ??
    found.find(({ evidence }) => evidence === 'unknown') ??
    found[0] ??
    UNCHANGED
  )
}

/** What an old entry gives is old, however the path came by it. */
function proofOfWork({ path, now }: PathState, target: Wanted, search: EvidenceSearch): Proof {
  if (isSameWork(target, now.work)) return { evidence: 'head', commit: search.head }
  // As a file a path is absent, too, where a folder stands or something else stands in a folder's place.
  const isGone =
    now.work.kind === 'absent' ||
    (now.work.kind === 'odd' && (now.work.what === 'directory' || now.work.what === 'unreachable'))
  if (isGone) return findProof(search, path, { kind: 'absent', fromIndex: now.entries.length === 0 })
  if (now.work.kind !== 'file' || now.work.oid === undefined) return { evidence: 'none' }
  return findProof(search, path, { kind: 'blob', oid: now.work.oid })
}

/** Whether two sets of entries give the path the same content; flags are the user's own business. */
function sameEntries(before: readonly IndexEntry[], now: readonly IndexEntry[]): boolean {
  return (
    before.length === now.length &&
    before.every((entry, index) => {
      const other = now[index]
      return other?.stage === entry.stage && other.oid === entry.oid && other.mode === entry.mode
    })
  )
}

/** For entries that are the same but for what hides a file from git. */
export const haveSameFlags = (before: readonly IndexEntry[], now: readonly IndexEntry[]): boolean =>
  before.every((entry, index) => {
    const other = now[index]
    return (
      entry.assumeValid === other?.assumeValid &&
      entry.skipWorktree === other.skipWorktree &&
      entry.intentToAdd === other.intentToAdd
    )
  })

/** Equal bytes, or bytes that git would store alike. A mode alone is no difference. */
export function isSameWork(wanted: Wanted, now: NowContent): boolean {
  if (now.kind === 'link') return wanted.kind === 'link' && wanted.target === now.target
  if (now.kind !== 'file') return wanted.kind === now.kind
  if (wanted.kind === 'entry') return wanted.oid === now.oid
  if (wanted.kind !== 'file') return false
  return wanted.sha256 === now.sha256 || (wanted.oid !== undefined && wanted.oid === now.oid)
}

function keyOf(now: NowContent): string {
  switch (now.kind) {
    case 'file':
      return now.sha256
    case 'link':
      return `link ${now.target}`
    case 'absent':
      return 'absent'
    case 'odd':
      return now.what
  }
}
