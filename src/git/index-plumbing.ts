/**
 * Split and sparse indexes, read and changed by git: libgit2 knows neither, nor does the addon. Everything happens to
 * private copies; how a changed one takes the place of the index is `restore.ts`'s business.
 */

import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { IndexEntry } from '../core/baseline.ts'
import type { Deadline } from '../core/deadline.ts'
import type { Env } from '../core/env.ts'
import { bytesBelow, type RepoPath } from '../core/ids.ts'
import { runGit } from './plumbing.ts'

export interface IndexPlumbing {
  readonly env: Env
  readonly deadline: Deadline
  /** Existing directory of ours for temporary files. */
  readonly scratch: string
}

/** No hook is asked about an empty work tree, and no cache is made for one. */
const QUIET = ['-c', 'core.fsmonitor=false', '-c', 'core.untrackedCache=keep']

/** Writes a split or sparse index anew with every entry in the file itself; flags and stat data stay. */
export async function writeFullCopy(
  gitDir: string,
  { stored, to }: { stored: Buffer; to: string },
  using: IndexPlumbing,
): Promise<void> {
  writeFileSync(to, stored, { mode: 0o600 })
  const workTree = path.join(using.scratch, 'empty')
  mkdirSync(workTree, { recursive: true })
  const whole = ['-c', 'core.splitIndex=false', '-c', 'index.sparse=false']
  const args = [...QUIET, ...whole, 'update-index', '--no-split-index', '--force-write-index']
  await runGit({ ...using, gitDir, workTree, viewIndex: to }, args, Buffer.alloc(0))
}

/**
 * Changes entries of a split or sparse index, which stays split or sparse; a shared index is neither made nor removed.
 *
 * git compares no entry with the work tree meanwhile. So the new file must not be younger than the old one: git would
 * trust entries that were racy under the old one.
 *
 * @param change.remove paths all of whose stages go first
 * @returns the new index as its file is to hold it
 */
export async function changeEntries(
  gitDir: string,
  change: {
    readonly stored: Buffer
    readonly set: readonly IndexEntry[]
    readonly remove: readonly RepoPath[]
  },
  using: IndexPlumbing,
): Promise<Buffer> {
  const folder = mkdtempSync(path.join(using.scratch, `changed-${String(process.pid)}-`))
  const [viewIndex, workTree] = [path.join(folder, 'index'), path.join(folder, 'tree')]
  const run = async (args: readonly string[], input: Buffer): Promise<void> => {
    const shared = ['-c', 'splitIndex.maxPercentChange=100']
    await runGit({ ...using, gitDir, workTree, viewIndex }, [...QUIET, ...shared, ...args], input)
  }
  try {
    mkdirSync(workTree)
    writeFileSync(viewIndex, change.stored, { mode: 0o600 })
    await run(['update-index', '-z', '--index-info'], entryLines(change))
    for (const { flag, has } of FLAGS) {
      const flagged = change.set.filter(has)
      if (flagged.length > 0) await run(['update-index', flag, '-z', '--stdin'], pathList(flagged))
    }
    await intendToAdd(
      workTree,
      change.set.filter(({ intentToAdd }) => intentToAdd),
      run,
    )
    return readFileSync(viewIndex)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** As `git update-index --index-info` takes them: what goes first, then what is put. */
function entryLines({ set, remove }: { set: readonly IndexEntry[]; remove: readonly RepoPath[] }): Buffer {
  const gone = remove.map((name) => `0 ${'0'.repeat(40)}\t${name}\0`)
  const put = set
    .filter(({ intentToAdd }) => !intentToAdd)
    .map(({ mode, oid, stage, path: name }) => `${mode.toString(8)} ${oid} ${String(stage)}\t${name}\0`)
  return Buffer.from([...gone, ...put].join(''), 'latin1')
}

/** What `--index-info` cannot say. */
const FLAGS: readonly { readonly flag: string; readonly has: (entry: IndexEntry) => boolean }[] = [
  { flag: '--assume-unchanged', has: ({ assumeValid, intentToAdd }) => assumeValid && !intentToAdd },
  { flag: '--skip-worktree', has: ({ skipWorktree, intentToAdd }) => skipWorktree && !intentToAdd },
]

/** Only `git add` makes such entries, and only for files that are there. */
async function intendToAdd(
  workTree: string,
  entries: readonly IndexEntry[],
  run: (args: readonly string[], input: Buffer) => Promise<void>,
): Promise<void> {
  if (entries.length === 0) return
  for (const { path: name, mode } of entries) {
    const file = bytesBelow(workTree, name)
    mkdirSync(file.subarray(0, file.lastIndexOf('/')), { recursive: true })
    writeFileSync(file, '', { mode: mode & 0o777 })
  }
  const names = ['--pathspec-from-file=-', '--pathspec-file-nul']
  await run(['--literal-pathspecs', 'add', '--intent-to-add', '--force', ...names], pathList(entries))
}

const pathList = (entries: readonly IndexEntry[]): Buffer =>
  Buffer.from(entries.map(({ path: name }) => `${name}\0`).join(''), 'latin1')
