/**
 * The only file that starts git, for the limits of libgit2 that each function names. Every call is shut off from the
 * work tree, the index and the environment's redirections; configuration and HOME stay, since filter drivers live there.
 */

import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Deadline } from '../core/deadline.ts'
import type { FilterDriver } from '../core/baseline.ts'
import type { Env } from '../core/env.ts'
import { GateError, messageOf } from '../core/errors.ts'
import { asOid, repoPathBytes, type Oid, type RepoPath } from '../core/ids.ts'
import { readIfThere } from './read-file.ts'

/** A filter driver as it was pinned, by its name. */
export type Drivers = Readonly<Record<string, FilterDriver>>

export interface Plumbing {
  readonly gitDir: string
  readonly env: Env
  readonly deadline: Deadline
  /** Private index with the entries and the `.gitattributes` files that conversion needs. */
  readonly viewIndex: string
  /** The same `.gitattributes` files as content: for cleaning, git does not look into the index. */
  readonly attributeFiles: ReadonlyMap<RepoPath, Buffer>
  /** A directory of ours for temporary files; holds the empty work tree. */
  readonly scratch: string
}

/**
 * Content as git checks it out. libgit2 runs no filter drivers and knows no `working-tree-encoding`.
 *
 * Drivers run as they are configured now, and count as required: without that, git answers a broken one with the stored
 * form and success. Whether the content is right is for the caller to check with {@link cleanIds}.
 *
 * @param paths entries of the view's index
 * @returns content by path; a path that git could not check out is missing
 * @throws GateError GATE_GIT when git cannot be run, GATE_TIMEOUT when time is up
 */
export async function checkOut(
  plumbing: Plumbing,
  paths: readonly RepoPath[],
  drivers: Drivers,
): Promise<ReadonlyMap<RepoPath, Buffer>> {
  const out = mkdtempSync(path.join(plumbing.scratch, 'out-'))
  try {
    const input = Buffer.concat(paths.flatMap((name) => [repoPathBytes(name), Buffer.of(0)]))
    const smudging = Object.entries(drivers).filter(
      ([, { smudge, process }]) => (smudge ?? process) !== undefined,
    )
    const required = smudging.flatMap(([name]) => ['-c', `filter.${name}.required=true`])
    const args = [...required, 'checkout-index', '-z', '--stdin', '-f', `--prefix=${out}/`]
    const workTree = path.join(plumbing.scratch, 'empty')
    mkdirSync(workTree, { recursive: true })
    await runGit({ ...plumbing, workTree }, args, input)
    return new Map(
      paths.flatMap((name) => {
        const bytes = readIfThere(Buffer.concat([Buffer.from(`${out}/`), repoPathBytes(name)]))
        return bytes === undefined ? [] : [[name, bytes] as const]
      }),
    )
  } finally {
    rmSync(out, { recursive: true, force: true })
  }
}

/**
 * Ids of contents as git would store them, for paths with a filter driver or a `working-tree-encoding`, by the drivers as
 * they were pinned. Nothing is written to the repository.
 *
 * @returns ids by path; a path whose driver fails is missing
 * @throws GateError as {@link checkOut}
 */
export async function cleanIds(
  plumbing: Plumbing,
  contents: ReadonlyMap<RepoPath, Buffer>,
  drivers: Drivers,
): Promise<ReadonlyMap<RepoPath, Oid>> {
  const now = await readGitConfiguration(plumbing.gitDir, String.raw`^filter\..*\.process$`, plumbing)
  const pinned = Object.entries(drivers).flatMap((driver) => pinnedClean(driver, now ?? new Map()))
  const tree = mkdtempSync(path.join(plumbing.scratch, 'in-'))
  const ids = new Map<RepoPath, Oid>()
  try {
    for (const [name, bytes] of [...plumbing.attributeFiles, ...contents]) {
      const file = Buffer.concat([Buffer.from(`${tree}/`), repoPathBytes(name)])
      mkdirSync(file.subarray(0, file.lastIndexOf('/')), { recursive: true })
      writeFileSync(file, bytes)
    }
    // git stops at the first path that fails, so what follows it is asked for again.
    for (let rest = [...contents.keys()]; rest.length > 0;) {
      const input = Buffer.from(rest.map((name) => `${quotePath(name)}\n`).join(''), 'latin1')
      const args = [...pinned, 'hash-object', '--stdin-paths']
      const output = await runGit({ ...plumbing, workTree: tree }, args, input)
      const found = output
        .toString('latin1')
        .split('\n')
        .filter((line) => /^[0-9a-f]{40}$/.test(line))
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

/**
 * Options that make a driver clean as it was pinned. git runs a `process` wherever one is set, also an empty one; so where
 * one was added since, an impossible `clean` makes the driver fail, which proves nothing and hides nothing.
 */
function pinnedClean([name, driver]: [string, FilterDriver], now: ReadonlyMap<string, string>): string[] {
  const isAdded = driver.process === undefined && now.has(`filter.${name}.process`)
  const settings = [
    ...(driver.clean === undefined ? [] : [`clean=${driver.clean}`]),
    ...(driver.process === undefined ? [] : [`process=${driver.process}`]),
    ...(isAdded ? ['process='] : []),
    `required=${String(isAdded || (driver.clean ?? driver.process) !== undefined)}`,
  ]
  return settings.flatMap((setting) => ['-c', `filter.${name}.${setting}`])
}

/**
 * Values of the configuration by lower-case key, for an environment that brings configuration of its own: libgit2 does
 * not see it.
 *
 * @param keys a regular expression
 * @returns undefined when git cannot be run
 */
export async function readGitConfiguration(
  gitDir: string,
  keys: string,
  using: { readonly env: Env; readonly deadline: Deadline },
): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    const output = await runGit(
      { ...using, gitDir, workTree: gitDir },
      ['config', '--null', '--get-regexp', keys],
      Buffer.alloc(0),
    )
    const entries = output
      .toString('utf8')
      .split('\0')
      .filter((entry) => entry !== '')
    return new Map(
      entries.map((entry) => {
        const [key = '', ...value] = entry.split('\n')
        return [key, value.length === 0 ? 'true' : value.join('\n')]
      }),
    )
  } catch (error) {
    if (error instanceof GateError && error.code === 'GATE_GIT') return undefined
    throw error
  }
}

/** Variables that would send git elsewhere. */
const REDIRECTING =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|CEILING_DIRECTORIES|LITERAL_PATHSPECS|GLOB_PATHSPECS|NOGLOB_PATHSPECS|ICASE_PATHSPECS|ATTR_SOURCE|TRACE.*|EXTERNAL_DIFF|QUARANTINE_PATH)$/

/** @returns standard output, also of a git that failed after it had started */
export async function runGit(
  where: Pick<Plumbing, 'gitDir' | 'env' | 'deadline'> & {
    readonly workTree: string
    readonly viewIndex?: string
  },
  args: readonly string[],
  input: Buffer,
): Promise<Buffer> {
  const { gitDir, env, deadline, workTree, viewIndex } = where
  deadline.check('git', 50)
  const kept = Object.entries(env).filter(([name]) => !REDIRECTING.test(name))
  const options = {
    cwd: workTree,
    env: {
      ...Object.fromEntries(kept),
      GIT_DIR: gitDir,
      GIT_WORK_TREE: workTree,
      ...(viewIndex === undefined ? {} : { GIT_INDEX_FILE: viewIndex }),
      GIT_OPTIONAL_LOCKS: '0',
      // Before 2.45 git knows no GIT_NO_LAZY_FETCH, and fetches what a partial clone lacks unless no protocol is allowed.
      GIT_NO_LAZY_FETCH: '1',
      GIT_ALLOW_PROTOCOL: '',
      GIT_TERMINAL_PROMPT: '0',
    },
    encoding: 'buffer' as const,
    maxBuffer: 16 * 1024 * 1024,
    timeout: Math.max(50, Math.floor(deadline.remaining() - 200)),
    killSignal: 'SIGKILL' as const,
  }
  return await new Promise((resolve, reject) => {
    const child = execFile('git', args, options, (error, stdout) => {
      if (error === null || typeof error.code === 'number') resolve(stdout)
      else if (error.killed === true)
        reject(new GateError('GATE_TIMEOUT', `git ${args.join(' ')} did not end in time`))
      else reject(new GateError('GATE_GIT', `git ${args.join(' ')} could not be run: ${messageOf(error)}`))
    })
    // A git that ends early closes its input; its output says how far it came.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}
