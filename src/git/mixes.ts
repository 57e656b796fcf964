/**
 * What git gives when it applies old changes to another old text and keeps no trace of either: an autostash, an entry of
 * the user's own work that was stashed since, `cherry-pick -n` and `revert -n`, one or several. Replayed path by path,
 * since there are no commits to merge.
 */

import type { Baseline } from '../core/baseline.ts'
import type { Deadline } from '../core/deadline.ts'
import type { Oid, RepoPath } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import type { GitHandle, PathChange } from '../native/types.ts'
import { blobAt } from './evidence.ts'
import { linesOf, notIn, type Lines } from './line-counts.ts'
import type { Replay } from './walks.ts'

/** Old commits that are asked what they changed, newest first, and how many changes of one path are tried. */
const MOST_COMMITS = 5_000
const MOST_CHANGES = 200
/** Changes that are applied one after the other, and how many of the texts so far are gone on with at each. */
const MOST_STEPS = 5
const MOST_TEXTS = 8

/** What old commits changed at a path. */
export type Picks = (path: RepoPath) => readonly PathChange[]

/** @param asked.tips commits that count as old */
export function picksBelow(asked: {
  readonly git: GitHandle
  readonly tips: readonly Oid[]
  readonly deadline: Deadline
}): Picks {
  const known = new Map<RepoPath, readonly PathChange[]>()
  return (path) => {
    const changes = known.get(path) ?? findChanges(asked, path)
    known.set(path, changes)
    return changes
  }
}

function findChanges(
  { git, tips, deadline }: Parameters<typeof picksBelow>[0],
  path: RepoPath,
): readonly PathChange[] {
  const budgetMs = Math.floor(deadline.remaining() - deadline.totalMs / 2)
  if (budgetMs <= 0) return []
  const limits = { mostCommits: MOST_COMMITS, mostChanges: MOST_CHANGES, budgetMs }
  return native().findChanges(git, { tips, path, ...limits })
}

interface Change {
  readonly from: Buffer
  readonly to: Buffer
}

/**
 * @param using.onto commit whose content the changes are applied to, old where it matters
 * @param using.picked changes that may have been picked or reverted
 * @param using.isStaged whether a path that is missing may be so by a pick, which stages what it deletes
 */
export function mixesOnto(using: {
  readonly git: GitHandle
  readonly baseline: Baseline
  readonly onto: Oid
  readonly picked: Picks
  readonly isStaged: (path: RepoPath) => boolean
  readonly deadline: Deadline
}): Replay {
  const { git, deadline } = using
  return {
    gives(path, oid) {
      const ours = blobAt(git, using.onto, path)
      if (ours === undefined) return false
      // Whatever a commit added its revert deletes, so that only a commit that deletes makes a deletion an old one.
      if (oid === undefined)
        return (
          using.isStaged(path) && using.picked(path).some(({ from, to }) => from === ours && to === undefined)
        )
      const wanted = readText(git, oid)
      // Whatever git picks, stashes or merges is in the database, so that for most fixes no commits have to be read.
      const picked = wanted === undefined ? [] : using.picked(path)
      const reverted = picked.map(({ from, to }) => ({ from: to, to: from }))
      const changes = readChanges(git, [...ownChanges(using, path), ...picked, ...reverted])
      if (changes.length === 0) return false
      const hasTime = (): boolean => deadline.remaining() > deadline.totalMs / 2
      return leadTo({ oid, text: wanted }, { git, ours: readText(git, ours), changes, hasTime })
    },
  }
}

/** From a commit of before to what the user had made of it. */
function ownChanges({ git, baseline }: { git: GitHandle; baseline: Baseline }, path: RepoPath): PathChange[] {
  const originals = baseline.originals[path] ?? []
  if (originals.length === 0) return []
  const bases = [baseline.firstHead.oid, baseline.head.oid].map((commit) => blobAt(git, commit, path))
  return [...new Set(bases)].flatMap((from) => originals.map((to) => ({ from, to })))
}

function readChanges(git: GitHandle, changes: readonly PathChange[]): readonly Change[] {
  const texts = new Map<Oid, Buffer | undefined>()
  const read = (oid: Oid | undefined): Buffer | undefined => {
    if (oid === undefined) return undefined
    if (!texts.has(oid)) texts.set(oid, readText(git, oid))
    return texts.get(oid)
  }
  return changes.flatMap((change) => {
    const [from, to] = [read(change.from), read(change.to)]
    return from === undefined || to === undefined || change.from === change.to ? [] : [{ from, to }]
  })
}

/**
 * Whether some of the changes, one applied after the other, give the blob. One that is not in the database is only
 * compared with what one of them gives.
 */
function leadTo(
  wanted: { readonly oid: Oid; readonly text: Buffer | undefined },
  from: {
    readonly git: GitHandle
    readonly ours: Buffer | undefined
    readonly changes: readonly Change[]
    readonly hasTime: () => boolean
  },
): boolean {
  if (from.ours === undefined) return false
  const lines = wanted.text === undefined ? undefined : linesOf(wanted.text)
  if (lines !== undefined && !isMadeOf(lines, [from.ours, ...from.changes.map(({ to }) => to)])) return false
  const far = (text: Buffer): number => (lines === undefined ? 0 : distance(lines, text))
  const seen = new Set<Oid>()
  let texts: readonly { readonly ours: Buffer; readonly furthest: number }[] = [
    { ours: from.ours, furthest: far(from.ours) },
  ]
  for (let step = 1; step <= MOST_STEPS; step++) {
    const found: { ours: Buffer; furthest: number }[] = []
    for (const { ours, furthest } of texts) {
      for (const { from: base, to: theirs } of from.changes) {
        if (!from.hasTime()) return false
        const merged = native().mergeText(from.git, { base, ours, theirs })
        if (merged === undefined) continue
        const given = native().hashBlob(merged)
        if (given === wanted.oid) return true
        if (lines === undefined || seen.has(given)) continue
        seen.add(given)
        const left = distance(lines, merged)
        if (left <= furthest) found.push({ ours: merged, furthest: left })
      }
    }
    if (lines === undefined) return false
    texts = found.sort((a, b) => a.furthest - b.furthest).slice(0, MOST_TEXTS)
  }
  return false
}

/** A merge has no line that none of its inputs has, which settles nearly every fix without a merge. */
function isMadeOf(wanted: Lines, texts: readonly Buffer[]): boolean {
  const known = new Set(texts.flatMap((text) => [...linesOf(text).keys()]))
  return [...wanted.keys()].every((line) => known.has(line))
}

/** How many lines two texts do not share. */
function distance(wanted: Lines, text: Buffer): number {
  const lines = linesOf(text)
  return notIn(wanted, lines) + notIn(lines, wanted)
}

/** Larger contents are not merged line by line. */
const LONGEST_TEXT_BYTES = 32 * 1024 * 1024

function readText(git: GitHandle, oid: Oid): Buffer | undefined {
  const sizeBytes = native().blobSize(git, oid)
  return sizeBytes === undefined || sizeBytes > LONGEST_TEXT_BYTES ? undefined : native().readBlob(git, oid)
}
