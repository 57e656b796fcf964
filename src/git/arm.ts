/** Pins a work tree as it is when a gate arms. */

import { rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { BASELINE_VERSION, type Baseline, type PinnedRefs, type WorkContent } from '../core/baseline.ts'
import { startHolding } from '../core/content.ts'
import type { Deadline } from '../core/deadline.ts'
import type { Env } from '../core/env.ts'
import { GateError } from '../core/errors.ts'
import { repoPathToText, type Oid, type RepoPath, type Sha256 } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import type { GitHandle, PinnedTable } from '../native/types.ts'
import { openAttributesView } from './attributes-view.ts'
import { openBlobReader } from './blob-reader.ts'
import { pinConversion } from './conversion.ts'
import { digestOf } from '../native/digest.ts'
import { sha256Of } from '../native/large-file.ts'
import { readIndexFile, readPlainIndexFile, type IndexFile } from './index-file.ts'
import { withGit } from './libgit2.ts'
import { readMergeFiles, readOperation } from './operation.ts'
import { pinContents, type KeepCopy, type PinnedContents } from './pin-contents.ts'
import {
  headsText,
  readHead,
  readOtherTrees,
  readRefs,
  readStash,
  readTips,
  type GitDirs,
  type RefList,
} from './refs.ts'
import { patched } from './repin.ts'
import { openRepo, type OpenRepo } from './repo.ts'
import { findNoWorkTree } from './work-tree.ts'

export interface Pins {
  readonly baseline: Baseline
  /** The index as it was, in git's format. */
  readonly index: Buffer
  /** Stat data of the index's paths, in the addon's format. */
  readonly table: Buffer
  readonly refs: PinnedRefs
}

export type Armed =
  | { readonly kind: 'armed'; readonly pins: Pins }
  | { readonly kind: 'skipped'; readonly reason: 'bare' | 'no-head' | 'not-owner' | 'unsupported-format' }

export interface ArmWith {
  readonly env: Env
  readonly deadline: Deadline
  readonly nowMs: number
  /** Existing directory of ours for temporary files. */
  readonly scratch: string
  /** Commits that a gate has undone in this repository before. */
  readonly undone: ReadonlySet<Oid>
  /** Where the git directory with the pinned conversion settings is made. */
  readonly conversionDir: string
  readonly keepCopy: KeepCopy
}

/**
 * @throws GateError GATE_GIT when HEAD or the index cannot be read, GATE_TIMEOUT when time is up
 */
export async function pinBaseline(tree: GitDirs & { readonly root: string }, using: ArmWith): Promise<Armed> {
  const early = pinEarly(tree)
  const opened = openRepo(tree.gitDir)
  if (opened.kind === 'unusable') return { kind: 'skipped', reason: opened.reason }
  const head = readHead(tree)
  if (head.kind === 'unborn') return { kind: 'skipped', reason: 'no-head' }
  if (head.kind === 'broken')
    throw new GateError('GATE_GIT', `git rev-parse HEAD failed: HEAD does not resolve in ${tree.root}`)

  const noWorkTree = findNoWorkTree(tree)
  if (noWorkTree !== undefined) return { kind: 'skipped', reason: noWorkTree }
  const conversion = await pinConversion(tree, using.conversionDir, using)
  const list = readRefs(tree)
  const tags = peelTags(opened.repo, list)
  const others = readOtherTrees(tree)
  const refs = {
    refs: Object.fromEntries(list.refs),
    stash: readStash(tree),
    elsewhere: others.flatMap(({ branch }) => branch ?? []),
    tips: [...new Set([...readTips(tree, list, using.undone), ...tags])],
  }
  const { bytes: index, mtimeNs, row } = early?.file ?? (await readIndexFile(tree.gitDir, using))
  const pinned = await (early?.pinning ?? pinTable(tree.root, { bytes: index, mtimeNs }))
  using.deadline.check('pinning the tree')

  const staged = await findStaged(opened.repo, { index, commit: head.oid, gitDir: tree.gitDir }, using)
  const paths = [...new Set([...pinned.unsure, ...staged])].sort()
  const view = openAttributesView({
    ...tree,
    conversion,
    commit: head.oid,
    paths,
    storedIn: [index],
    ...using,
  })
  try {
    const contents = await pinContents(tree.root, paths, { view, index, staged: new Set(staged), ...using })
    const work: Record<RepoPath, WorkContent> = { ...contents.work }
    for (const name of pinned.missing) work[name] = { kind: 'absent' }
    for (const { path: name } of pinned.odd) work[name] = { kind: 'odd' }
    const baseline: Baseline = {
      version: BASELINE_VERSION,
      root: tree.root,
      gitDir: tree.gitDir,
      commonDir: tree.commonDir,
      conversion,
      pinnedAtMs: using.nowMs,
      firstHead: { oid: head.oid, ref: head.ref },
      head: { oid: head.oid, ref: head.ref },
      accepted: [],
      letPass: {},
      heads: digestOf(Buffer.from(headsText(tree, list))),
      operation: readOperation(tree.gitDir),
      mergeFiles: readMergeFiles(tree.gitDir),
      sawOtherTrees: others.length > 0,
      named: [],
      work,
      indexRow: row,
      outside: [],
      originals: originalsOf(index, work, staged),
      originallyAbsent: (Object.keys(work) as RepoPath[]).filter((name) => work[name]?.kind === 'absent'),
      stagedBlobs: keepStagedBlobs(view.git, { index, staged, commit: head.oid }, using),
      dropped: [],
      observed: {},
      failed: {},
      unknown: {},
    }
    return {
      kind: 'armed',
      pins: {
        baseline,
        index,
        table: patched(pinned.table, index, rowsOf(index, contents.rows)),
        refs,
      },
    }
  } finally {
    view.close()
  }
}

/**
 * Takes the stat data of all files on threads while the repository is opened and read here. Where git has to be asked for
 * the index, that waits until it is known whose repository this is.
 */
function pinEarly(
  tree: GitDirs & { readonly root: string },
): { readonly file: IndexFile; readonly pinning: Promise<PinnedTable> } | undefined {
  const file = readPlainIndexFile(tree.gitDir)
  if (file === undefined) return undefined
  const pinning = pinTable(tree.root, file)
  // Nobody asks for it where nothing is armed.
  pinning.catch(() => undefined)
  return { file, pinning }
}

const pinTable = async (
  root: string,
  { bytes, mtimeNs }: Pick<IndexFile, 'bytes' | 'mtimeNs'>,
): Promise<PinnedTable> => await native().pinTable({ root, index: bytes, indexMtimeNs: mtimeNs })

/** Commits behind annotated tags that packed-refs does not peel. */
function peelTags(repo: OpenRepo, { peeled, unpeeled }: RefList): readonly Oid[] {
  const known = new Set(peeled)
  const tags: Oid[] = []
  for (const oid of unpeeled) {
    const target = repo.peelTag(oid)
    if (target !== undefined && !known.has(target)) tags.push(target)
  }
  return tags
}

/** Paths whose index entry differs from the commit, those that only the commit has among them. */
async function findStaged(
  repo: OpenRepo,
  { index, commit, gitDir }: { index: Buffer; commit: Oid; gitDir: string },
  { scratch }: ArmWith,
): Promise<RepoPath[]> {
  const stagedOn = repo.commit(commit)
  if (stagedOn === undefined)
    throw new GateError('GATE_GIT', `git cat-file commit ${commit} failed: it is not in the database`)
  // Nothing staged is the usual case, and git has written down that it is so: no tree has to be walked.
  if (native().parseIndex(index).tree === stagedOn.tree) return []
  const copy = path.join(scratch, `index-${String(process.pid)}`)
  writeFileSync(copy, index, { mode: 0o600 })
  try {
    const differing = new Set(await repo.stagedPaths(stagedOn, copy))
    if (differing.size === 0) return []
    const entries = native().indexEntries(index)
    const odd = entries.filter((entry) => repoPathToText(entry.path) === undefined)
    return withGit(gitDir, (git) => {
      // Names that are not UTF-8 come damaged from the comparison; such a name is in neither.
      const isAt = (name: RepoPath): boolean => native().blobAt(git, commit, name) !== undefined
      for (const { path: name, oid } of odd)
        if (native().blobAt(git, commit, name)?.oid !== oid) differing.add(name)
      const inIndex = new Set(entries.map((entry) => entry.path))
      const removed = [...differing].filter((name) => !inIndex.has(name) && isAt(name))
      return [...[...inIndex].filter((name) => differing.has(name)), ...removed]
    })
  } finally {
    rmSync(copy, { force: true })
  }
}

/** Rows of paths that the index has. */
function rowsOf(index: Buffer, rows: PinnedContents['rows']): PinnedContents['rows'] {
  const inIndex = new Set(
    native()
      .indexEntries(
        index,
        rows.map((row) => row.path),
      )
      .map((entry) => entry.path),
  )
  return rows.filter((row) => inIndex.has(row.path))
}

/** Keeps the blobs of staged changes, which no commit holds. */
function keepStagedBlobs(
  git: GitHandle,
  { index, staged, commit }: { index: Buffer; staged: readonly RepoPath[]; commit: Oid },
  { keepCopy, scratch }: ArmWith,
): Readonly<Record<Oid, Sha256>> {
  const kept: Record<Oid, Sha256> = {}
  const reader = openBlobReader({ git, view: undefined, scratch })
  try {
    for (const { path: name, oid } of native().indexEntries(index, staged)) {
      if (native().blobAt(git, commit, name)?.oid === oid) continue
      const content = reader.checkOut(name, oid, startHolding())
      if (content === undefined) continue
      const sha256 = sha256Of(content)
      kept[oid] = sha256
      keepCopy(sha256, content)
    }
  } finally {
    reader.close()
  }
  return kept
}

/** What the path had in work tree and index that no commit has to prove. */
function originalsOf(
  index: Buffer,
  work: Readonly<Record<RepoPath, WorkContent>>,
  staged: readonly RepoPath[],
): Readonly<Record<RepoPath, readonly Oid[]>> {
  const originals: Record<RepoPath, Set<Oid>> = {}
  const add = (name: RepoPath, oid: Oid): void => {
    ;(originals[name] ??= new Set()).add(oid)
  }
  const paths = [...new Set([...(Object.keys(work) as RepoPath[]), ...staged])]
  for (const entry of native().indexEntries(index, paths)) add(entry.path, entry.oid)
  for (const [name, content] of Object.entries(work) as [RepoPath, WorkContent][])
    if (content.kind === 'file' && content.oid !== undefined) add(name, content.oid)
  return Object.fromEntries(Object.entries(originals).map(([name, oids]) => [name, [...oids]]))
}
