/** Conversion by git itself, of what libgit2 cannot convert: it runs no filter drivers and knows no `working-tree-encoding`. */

import { lstatSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import path from 'node:path'
import type { FilterDriver } from '../core/baseline.ts'
import { startHolding, type Content, type OwnContent } from '../core/content.ts'
import type { Deadline } from '../core/deadline.ts'
import type { Env } from '../core/env.ts'
import { asOid, bytesBelow, repoPathBytes, type Oid, type RepoPath } from '../core/ids.ts'
import { writeContent } from '../native/large-file.ts'
import type { BlobReader } from './blob-reader.ts'
import { readGitConfiguration, runGit } from './plumbing.ts'
import { readIfThere } from './read-file.ts'

/** A filter driver as it was pinned, by its name. */
export type Drivers = Readonly<Record<string, FilterDriver>>

export interface Plumbing {
  /** The repository's own, where drivers keep what they need. */
  readonly gitDir: string
  readonly commonDir: string
  /** The pinned git directory of ours, for paths without a driver. */
  readonly pinnedDir: string
  /** Pinned settings for paths with a driver, as `git -c` takes them. */
  readonly settings: readonly string[]
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
 * Content as git checks it out.
 *
 * Drivers run as they are configured now, and count as required: without that, git answers a broken one with the stored
 * form and success. Whether the content is right is for the caller to check with {@link cleanIds}.
 *
 * @param paths entries of the view's index
 * @returns content by path; a path that git could not check out, or that is too long, is missing
 * @throws GateError GATE_GIT when git cannot be run, GATE_TIMEOUT when time is up
 */
export async function checkOut(
  plumbing: Plumbing,
  paths: readonly RepoPath[],
  using: { readonly drivers: Drivers; readonly reader: Pick<BlobReader, 'take'> },
): Promise<ReadonlyMap<RepoPath, OwnContent>> {
  const { drivers, reader } = using
  const out = mkdtempSync(path.join(plumbing.scratch, `out-${String(process.pid)}-`))
  try {
    // git stops at a path that it cannot make.
    const names = paths.filter(fitsBelow(out))
    const input = Buffer.concat(names.flatMap((name) => [repoPathBytes(name), Buffer.of(0)]))
    const smudging = Object.entries(drivers).filter(
      ([, { smudge, process }]) => (smudge ?? process) !== undefined,
    )
    const required = smudging.map(([name]) => `filter.${name}.required=true`)
    const args = ['checkout-index', '-z', '--stdin', '-f', `--prefix=${out}/`]
    const workTree = path.join(plumbing.scratch, 'empty')
    mkdirSync(workTree, { recursive: true })
    await runConverting({ ...plumbing, workTree }, drivers, required, args, input)
    const isToHold = startHolding()
    return new Map(
      names.flatMap((name) => {
        const file = bytesBelow(out, name)
        const sizeBytes = lstatSync(file, { throwIfNoEntry: false })?.size ?? 0
        const content = isToHold(sizeBytes) ? readIfThere(file) : reader.take(file, sizeBytes)
        return content === undefined ? [] : [[name, content] as const]
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
 * @returns ids by path; a path whose driver fails, or that is too long, is missing
 * @throws GateError as {@link checkOut}
 */
export async function cleanIds(
  plumbing: Plumbing,
  contents: ReadonlyMap<RepoPath, Content>,
  drivers: Drivers,
): Promise<ReadonlyMap<RepoPath, Oid>> {
  if (contents.size === 0) return new Map()
  const hasDrivers = Object.keys(drivers).length > 0
  // These come before all other attributes, and git has no option to leave them out: they could name another driver.
  if (hasDrivers && !hasPinnedAttributes(plumbing)) return new Map()
  const now = hasDrivers
    ? await readGitConfiguration(plumbing.gitDir, String.raw`^filter\..*\.process$`, plumbing)
    : undefined
  const pinned = Object.entries(drivers).flatMap((driver) => pinnedClean(driver, now ?? new Map()))
  const tree = mkdtempSync(path.join(plumbing.scratch, `in-${String(process.pid)}-`))
  const ids = new Map<RepoPath, Oid>()
  try {
    const fits = fitsBelow(tree)
    for (const [name, content] of new Map<RepoPath, Content>([...plumbing.attributeFiles, ...contents])) {
      if (!fits(name)) continue
      const file = bytesBelow(tree, name)
      mkdirSync(file.subarray(0, file.lastIndexOf('/')), { recursive: true })
      writeContent(file, content)
    }
    // git stops at the first path that fails, so what follows it is asked for again.
    for (let rest = [...contents.keys()].filter(fits); rest.length > 0;) {
      const input = Buffer.from(rest.map((name) => `${quotePath(name)}\n`).join(''), 'latin1')
      const args = ['hash-object', '--stdin-paths']
      const output = await runConverting({ ...plumbing, workTree: tree }, drivers, pinned, args, input)
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

const LONGEST_PATH_BYTES = process.platform === 'darwin' ? 1_024 : 4_096

/** Whether a path, and the attributes beside it, can be named below a folder of ours. */
const fitsBelow =
  (folder: string) =>
  (name: RepoPath): boolean => {
    const directory = name.slice(0, name.lastIndexOf('/') + 1)
    const longest = Math.max(name.length, directory.length + '.gitattributes'.length)
    return Buffer.byteLength(folder) + 1 + longest < LONGEST_PATH_BYTES
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
  return settings.map((setting) => `filter.${name}.${setting}`)
}

const hasPinnedAttributes = ({ commonDir, pinnedDir }: Plumbing): boolean => {
  const [now, pinned] = [commonDir, pinnedDir].map(
    (dir) => readIfThere(path.join(dir, 'info/attributes')) ?? Buffer.alloc(0),
  )
  return now !== undefined && pinned?.equals(now) === true
}

/**
 * Converts with git. Drivers need the repository and the person's configuration; without one, everything but the pinned
 * settings is kept out, since a driver could have been added to them.
 */
async function runConverting(
  where: Plumbing & { readonly workTree: string },
  drivers: Drivers,
  driverSettings: readonly string[],
  args: readonly string[],
  input: Buffer,
): Promise<Buffer> {
  const hasDrivers = Object.keys(drivers).length > 0
  // `core.safecrlf` is a warning for people, no other conversion.
  const settings = [...(hasDrivers ? where.settings : []), ...driverSettings, 'core.safecrlf=false']
  const options = settings.flatMap((setting) => ['-c', setting])
  if (hasDrivers) return await runGit(where, [...options, ...args], input)
  const env = {
    ...withoutConfiguration(where.env),
    GIT_CONFIG_GLOBAL: '/dev/null',
    GIT_CONFIG_SYSTEM: '/dev/null',
  }
  return await runGit({ ...where, gitDir: where.pinnedDir, env }, [...options, ...args], input)
}

const withoutConfiguration = (env: Env): Env =>
  Object.fromEntries(Object.entries(env).filter(([name]) => !name.startsWith('GIT_CONFIG')))
