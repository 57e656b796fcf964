/**
 * The only file that starts git, for the limits of libgit2 that each function names. Every call is shut off from the
 * work tree, the index and the environment's redirections; configuration and HOME stay, since filter drivers live there.
 */

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Deadline } from '../core/deadline.ts'
import type { Env } from '../core/env.ts'
import { GateError, isMissing, messageOf } from '../core/errors.ts'
import { asOid, repoPathBytes, type Oid, type RepoPath } from '../core/ids.ts'

export interface Plumbing {
  readonly gitDir: string
  readonly env: Env
  readonly deadline: Deadline
  /** Private index with the entries and the `.gitattributes` files that conversion needs. */
  readonly viewIndex: string
  /** A directory of ours for temporary files; holds the empty work tree. */
  readonly scratch: string
}

/**
 * Content as git checks it out. libgit2 runs no filter drivers and knows no `working-tree-encoding`.
 *
 * Drivers count as required here: without that, git answers a broken one with the stored form and success.
 *
 * @param paths entries of the view's index
 * @param drivers names of the filter drivers among them
 * @returns content by path; a path that git could not check out is missing
 * @throws GateError GATE_GIT when git cannot be run, GATE_TIMEOUT when time is up
 */
export async function checkOut(
  plumbing: Plumbing,
  paths: readonly RepoPath[],
  drivers: readonly string[],
): Promise<ReadonlyMap<RepoPath, Buffer>> {
  const out = mkdtempSync(path.join(plumbing.scratch, 'out-'))
  try {
    const input = Buffer.concat(paths.flatMap((name) => [repoPathBytes(name), Buffer.of(0)]))
    const args = [...required(drivers), 'checkout-index', '-z', '--stdin', '-f', `--prefix=${out}/`]
    await runGit(plumbing, args, input)
    return new Map(
      paths.flatMap((name) => {
        const bytes = readOrNothing(Buffer.concat([Buffer.from(`${out}/`), repoPathBytes(name)]))
        return bytes === undefined ? [] : [[name, bytes] as const]
      }),
    )
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

/**
 * Ids of contents as git would store them, for paths with a filter driver or a `working-tree-encoding`. Nothing is
 * written to the repository.
 *
 * @returns ids by path; a path whose driver fails is missing
 * @throws GateError as {@link checkOut}
 */
export async function cleanIds(
  plumbing: Plumbing,
  contents: ReadonlyMap<RepoPath, Buffer>,
  drivers: readonly string[],
): Promise<ReadonlyMap<RepoPath, Oid>> {
  const tree = mkdtempSync(path.join(plumbing.scratch, 'in-'))
  const ids = new Map<RepoPath, Oid>()
  try {
    for (const [name, bytes] of contents) {
      const file = Buffer.concat([Buffer.from(`${tree}/`), repoPathBytes(name)])
      mkdirSync(file.subarray(0, file.lastIndexOf('/')), { recursive: true })
      writeFileSync(file, bytes)
    }
    // git stops at the first path that fails, so what follows it is asked for again.
    for (let rest = [...contents.keys()]; rest.length > 0; ) {
      const input = Buffer.from(rest.map((name) => `${quotePath(name)}\n`).join(''), 'latin1')
      const args = [...required(drivers), 'hash-object', '--stdin-paths']
      const output = await runGit({ ...plumbing, workTree: tree }, args, input)
      const found = output.toString('latin1').split('\n').filter((line) => /^[0-9a-f]{40}$/.test(line))
      for (const [index, hex] of found.entries()) {
        const name = rest[index]
        if (name !== undefined) ids.set(name, asOid(hex))
      }
      rest = rest.slice(found.length + 1)
    }
    return ids
  } finally {
    rmSync(tree, { recursive: true, force: true })
  }
}

/** A path in git's C quotes, one byte per character. */
const quotePath = (name: RepoPath): string =>
  `"${name.replace(/[^ !#-[\]-~]/g, (byte) => `\\${byte.charCodeAt(0).toString(8).padStart(3, '0')}`)}"`

const required = (drivers: readonly string[]): string[] =>
  drivers.flatMap((driver) => ['-c', `filter.${driver}.required=true`])

/** Variables that would send git elsewhere. */
const REDIRECTING =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|CEILING_DIRECTORIES|LITERAL_PATHSPECS|GLOB_PATHSPECS|NOGLOB_PATHSPECS|ICASE_PATHSPECS|ATTR_SOURCE|TRACE.*|EXTERNAL_DIFF|QUARANTINE_PATH)$/

/** @returns standard output, also of a git that failed after it had started */
async function runGit(
  plumbing: Plumbing & { readonly workTree?: string },
  args: readonly string[],
  input: Buffer,
): Promise<Buffer> {
  const { gitDir, env, deadline, viewIndex, scratch } = plumbing
  deadline.check('git', 50)
  const workTree = plumbing.workTree ?? path.join(scratch, 'empty')
  mkdirSync(workTree, { recursive: true })
  const kept = Object.entries(env).filter(([name]) => !REDIRECTING.test(name))
  const options = {
    cwd: workTree,
    env: {
      ...Object.fromEntries(kept),
      GIT_DIR: gitDir,
      GIT_WORK_TREE: workTree,
      GIT_INDEX_FILE: viewIndex,
      GIT_OPTIONAL_LOCKS: '0',
      GIT_NO_LAZY_FETCH: '1',
      GIT_TERMINAL_PROMPT: '0',
    },
    encoding: 'buffer' as const,
    maxBuffer: 16 * 1024 * 1024,
    timeout: Math.max(50, deadline.remaining() - 200),
    killSignal: 'SIGKILL' as const,
  }
  return await new Promise((resolve, reject) => {
    const child = execFile('git', args, options, (error, stdout) => {
      if (error === null || typeof error.code === 'number') resolve(stdout)
      else if (error.killed === true) reject(new GateError('GATE_TIMEOUT', `git ${args.join(' ')} did not end in time`))
      else reject(new GateError('GATE_GIT', `git ${args.join(' ')} could not be run: ${messageOf(error)}`))
    })
    // A git that ends early closes its input; its output says how far it came.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}

function readOrNothing(file: Buffer): Buffer | undefined {
  try {
    return readFileSync(file)
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}
