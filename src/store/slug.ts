/**
 * The name of a project below the state root, as gstack's own command makes it. The cache is shared with gstack, so it
 * lies where gstack looks: `GSTACK_HOME` or `~/.gstack`, whatever the state root is.
 */

import { mkdirSync, readFileSync, statSync } from 'node:fs'
import path from 'node:path'
import type { Env } from '../core/env.ts'
import { GateError } from '../core/errors.ts'
import { writeAtomic } from './atomic.ts'

export interface SlugPlace {
  readonly env: Env
  readonly home: string
  /** Absolute. */
  readonly cwd: string
  /** The URL of `origin` of the repository whose top a folder is; undefined when it has none. */
  readonly originUrl: (folder: string) => Promise<string | undefined>
}

const MAX_LEVELS = 64
const STRONG_FILES = ['.project.yaml', 'package.json', 'pyproject.toml', 'Cargo.toml', 'Gemfile', 'go.mod']
const WEAK_FILES = ['README.md', 'README', 'README.rst', 'LICENSE', 'LICENSE.md']

/**
 * The slug of a directory: pinned by `GSTACK_PROJECT_SLUG`, cached, made of the outermost repository's origin, or the
 * name of the project's or the current directory.
 *
 * @throws GateError GATE_SLUG when nothing of that is left of plain characters
 */
export async function projectSlug(place: SlugPlace): Promise<string> {
  const pinned = plainSlug(place.env['GSTACK_PROJECT_SLUG'] ?? '')
  if (pinned !== undefined) return pinned
  try {
    return await cachedOrNew(place)
  } catch (cause) {
    if (cause instanceof GateError && cause.code !== 'GATE_GIT') throw cause
    throw new GateError('GATE_SLUG', `gstack-slug failed in ${place.cwd}`, { cause })
  }
}

async function cachedOrNew(place: SlugPlace): Promise<string> {
  const folders = ancestorsOf(place.cwd)
  const root = projectRoot(folders)
  const cacheFile = path.join(cacheRoot(place), 'slug-cache', place.cwd.replaceAll('/', '_'))
  const cached = plainSlug(unlessErrno(() => readFileSync(cacheFile, 'utf8')) ?? '')
  if (cached !== undefined && !(await isOutdated(cached, place, { folders, root }))) return cached

  const slug = await newSlug(place, folders, root)
  if (slug === undefined) throw new GateError('GATE_SLUG', `no name can be made of ${place.cwd}`)
  if (slug !== cached) remember(cacheFile, slug)
  return slug
}

/** A cached name stays, except where it was plainly taken from a folder inside the project, or from one around it. */
async function isOutdated(
  cached: string,
  place: SlugPlace,
  { folders, root }: { readonly folders: readonly string[]; readonly root: string | undefined },
): Promise<boolean> {
  if (root === undefined) return false
  if (root !== place.cwd && cached === plainSlug(path.basename(place.cwd))) return true
  if (cached !== plainSlug(path.basename(root)) || !hasGit(root)) return false
  const outermost = await outermostOrigin(place, folders)
  return outermost !== undefined && outermost.folder !== root
}

async function newSlug(
  place: SlugPlace,
  folders: readonly string[],
  root: string | undefined,
): Promise<string | undefined> {
  const origin = await outermostOrigin(place, folders)
  return (
    (origin === undefined ? undefined : ownerAndName(origin.url)) ??
    (root === undefined ? undefined : plainSlug(path.basename(root))) ??
    plainSlug(path.basename(place.cwd))
  )
}

async function outermostOrigin(
  place: SlugPlace,
  folders: readonly string[],
): Promise<{ folder: string; url: string } | undefined> {
  for (const folder of folders.toReversed()) {
    const url = hasGit(folder) ? await place.originUrl(folder) : undefined
    if (url !== undefined && url !== '') return { folder, url }
  }
  return undefined
}

/** `owner-name` of `git@host:owner/name.git`, `https://host/owner/name` and the like. */
function ownerAndName(url: string): string | undefined {
  const bare = url.replace(/\.git$/, '')
  return plainSlug((/[:/]([^/:]*\/[^/]*)$/.exec(bare)?.[1] ?? bare).replace('/', '-'))
}

/** Innermost first, without the file system's root. */
function ancestorsOf(directory: string): readonly string[] {
  const folders: string[] = []
  for (
    let folder = directory;
    folder !== path.dirname(folder) && folders.length < MAX_LEVELS;
    folder = path.dirname(folder)
  )
    folders.push(folder)
  return folders
}

function projectRoot(folders: readonly string[]): string | undefined {
  const strong = folders.findLast(
    (folder) => hasGit(folder) || STRONG_FILES.some((name) => isFile(path.join(folder, name))),
  )
  return strong ?? folders.findLast((folder) => WEAK_FILES.some((name) => isFile(path.join(folder, name))))
}

const hasGit = (folder: string): boolean =>
  unlessErrno(() => statSync(path.join(folder, '.git'))) !== undefined
const isFile = (file: string): boolean => unlessErrno(() => statSync(file))?.isFile() === true

const cacheRoot = ({ env, home }: SlugPlace): string =>
  path.resolve(
    home,
    env['GSTACK_HOME'] === undefined || env['GSTACK_HOME'] === '' ? '.gstack' : env['GSTACK_HOME'],
  )

/** A cache that cannot be written costs time and nothing else. */
function remember(file: string, slug: string): void {
  unlessErrno(() => {
    mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 })
    writeAtomic(file, slug)
  })
}

/** What cannot be looked at is not there, as for a shell's `test`. */
function unlessErrno<Result>(look: () => Result): Result | undefined {
  try {
    return look()
  } catch (error) {
    if (error instanceof Error && 'errno' in error) return undefined
    throw error
  }
}

/** Letters, digits and `._-` of a text, safe for a shell and as a folder name; undefined when nothing usable is left. */
export function plainSlug(text: string): string | undefined {
  const plain = text.replace(/[^A-Za-z0-9._-]/g, '')
  return ['', '.', '..'].includes(plain) ? undefined : plain
}
