/**
 * HEAD, refs and reflogs of a repository with the files backend, read from their files: a check asks for them on every
 * call, also with 50,000 refs, and must not load libgit2 for the answer.
 */

import { readdirSync, realpathSync, type Dirent } from 'node:fs'
import path from 'node:path'
import type { Head } from '../core/baseline.ts'
import { hasErrno, isMissing, isSystemError } from '../core/errors.ts'
import { asOid, type Oid } from '../core/ids.ts'
import { readIfThere } from './read-file.ts'

export interface GitDirs {
  readonly gitDir: string
  readonly commonDir: string
}

export type HeadState =
  | ({ readonly kind: 'commit' } & Head)
  /** HEAD names a branch that has no commit. */
  | { readonly kind: 'unborn'; readonly ref: string }
  | { readonly kind: 'broken' }

const MAX_SYMBOLIC_DEPTH = 5

/** Reads `HEAD` of this work tree from its file. */
export function readHead(dirs: GitDirs): HeadState {
  const text = readText(path.join(dirs.gitDir, 'HEAD'))
  if (text === undefined) return { kind: 'broken' }
  const direct = parseOid(text)
  if (direct !== undefined) return { kind: 'commit', oid: direct, ref: undefined }
  const ref = parseSymbolic(text)
  if (ref === undefined) return { kind: 'broken' }
  const oid = readRef(dirs, ref)
  return oid === undefined ? { kind: 'unborn', ref } : { kind: 'commit', oid, ref }
}

/** Resolves one ref; refs of a linked work tree's own are looked for in its own directory first. */
export function readRef(dirs: GitDirs, name: string, depth = 0): Oid | undefined {
  if (depth > MAX_SYMBOLIC_DEPTH) return undefined
  const own = /^refs\/(?:bisect|worktree|rewritten)\//.test(name) || !name.startsWith('refs/')
  const text = readText(path.join(own ? dirs.gitDir : dirs.commonDir, name))
  if (text === undefined) return readPackedRefs(dirs.commonDir).refs.get(name)
  const symbolic = parseSymbolic(text)
  return symbolic === undefined ? parseOid(text) : readRef(dirs, symbolic, depth + 1)
}

export interface RefList {
  /** Every ref below `refs/` by its full name; broken ones are left out. */
  readonly refs: ReadonlyMap<string, Oid>
  /** Commits behind annotated tags, as far as packed-refs knows them. */
  readonly peeled: readonly Oid[]
  /** Tags that may be annotated, as far as packed-refs does not know them. */
  readonly unpeeled: readonly Oid[]
}

/** Reads all refs from their files; those of a linked work tree's own are among them. */
export function readRefs(dirs: GitDirs): RefList {
  const packed = readPackedRefs(dirs.commonDir)
  const refs = new Map(packed.refs)
  const symbolic: [string, string][] = []
  for (const base of new Set([dirs.commonDir, dirs.gitDir])) {
    for (const name of filesBelow(base, 'refs')) {
      const text = readText(path.join(base, name)) ?? ''
      const oid = parseOid(text)
      const target = parseSymbolic(text)
      if (oid !== undefined) refs.set(name, oid)
      else if (target !== undefined) symbolic.push([name, target])
    }
  }
  for (const [name, target] of symbolic) {
    const oid = refs.get(target)
    if (oid !== undefined) refs.set(name, oid)
  }
  const tags = [...refs].filter(
    ([name, oid]) =>
      name.startsWith('refs/tags/') && !(packed.isFullyPeeled && packed.refs.get(name) === oid),
  )
  return { refs, peeled: packed.peeled, unpeeled: [...new Set(tags.map(([, oid]) => oid))] }
}

export interface ReflogEntry {
  readonly before: Oid
  readonly after: Oid
}

/** Oldest first; empty when the ref has no log. @param name `HEAD`, or a full ref name */
export function readReflog(dirs: GitDirs, name: string): readonly ReflogEntry[] {
  const base = name.startsWith('refs/') ? dirs.commonDir : dirs.gitDir
  return parseReflog(readText(path.join(base, 'logs', name)) ?? '')
}

/** Stash entries as commit ids, newest first. */
export const readStash = (dirs: GitDirs): readonly Oid[] =>
  readReflog(dirs, 'refs/stash')
    .map((entry) => entry.after)
    .reverse()

/**
 * Every commit that something in the repository names now: refs, reflogs, stash entries, pseudo refs, other work trees.
 *
 * @param undone commits that count only where a branch, tag or remote has them
 */
export function readTips(dirs: GitDirs, list: RefList, undone: ReadonlySet<Oid>): readonly Oid[] {
  const tips = new Set<Oid>()
  for (const base of new Set([dirs.commonDir, dirs.gitDir])) {
    for (const name of filesBelow(base, 'logs')) addReflog(tips, path.join(base, name))
  }
  for (const name of ['HEAD', 'ORIG_HEAD', 'MERGE_HEAD', 'CHERRY_PICK_HEAD', 'REVERT_HEAD']) {
    const oid = readRef(dirs, name)
    if (oid !== undefined) tips.add(oid)
  }
  for (const oid of readFetchHead(dirs)) tips.add(oid)
  const worktrees = path.join(dirs.commonDir, 'worktrees')
  for (const entry of readDirectory(worktrees)) {
    const gitDir = path.join(worktrees, entry.name)
    const head = readHead({ gitDir, commonDir: dirs.commonDir })
    if (head.kind === 'commit') tips.add(head.oid)
    addReflog(tips, path.join(gitDir, 'logs', 'HEAD'))
  }
  const own = [...list.refs].filter(([name]) => !name.startsWith('refs/gstack-gates/')).map(([, oid]) => oid)
  return [...new Set([...own, ...list.peeled, ...[...tips].filter((oid) => !undone.has(oid))])]
}

/** Local branches and HEAD as one text: equal texts mean that none has moved. */
export function headsText(dirs: GitDirs, { refs }: RefList): string {
  const heads = [...refs]
    .filter(([name]) => name.startsWith('refs/heads/'))
    .map(([name, oid]) => `${oid} ${name}`)
  const head = readHead(dirs)
  return [...heads.sort(), head.kind === 'commit' ? `${head.oid} ${head.ref ?? 'HEAD'}` : head.kind].join(
    '\n',
  )
}

export interface OtherTree {
  /** Branch that is checked out there. */
  readonly branch: string | undefined
  /** Its own HEAD log's commits. */
  readonly logged: ReadonlySet<Oid>
}

/** The other work trees of the repository, the main one among them when this one is linked. */
export function readOtherTrees({ gitDir, commonDir }: GitDirs): readonly OtherTree[] {
  const worktrees = path.join(commonDir, 'worktrees')
  const linked = readDirectory(worktrees).map((entry) => path.join(worktrees, entry.name))
  return [commonDir, ...linked]
    .filter((other) => other !== gitDir)
    .map((other) => {
      const dirs = { gitDir: other, commonDir }
      const head = readHead(dirs)
      return {
        branch: head.kind === 'broken' ? undefined : head.ref,
        logged: new Set(readReflog(dirs, 'HEAD').map(({ after }) => after)),
      }
    })
}

/** Commits of FETCH_HEAD, without lines whose source is a path on this machine's own repository. */
export function readFetchHead(dirs: GitDirs): readonly Oid[] {
  const text = readText(path.join(dirs.gitDir, 'FETCH_HEAD')) ?? ''
  const top = path.dirname(dirs.commonDir)
  const own = new Set([dirs.commonDir, dirs.gitDir, top])
  return text.split('\n').flatMap((line) => {
    const [hex = '', , description = ''] = line.split('\t')
    const source = description
      .replace(/^.* of /, '')
      .replace(/^file:\/\//, '')
      .replace(/\/$/, '')
    const oid = parseOid(hex)
    const isOwn = source === '.' || own.has(realPathOf(path.resolve(top, source)))
    return oid === undefined || isOwn ? [] : [oid]
  })
}

/** A source that is no path of this machine stays as it is, whatever it is. */
function realPathOf(file: string): string {
  if (file.includes('\0')) return file
  try {
    return realpathSync(file)
  } catch (error) {
    if (isSystemError(error)) return file
    throw error
  }
}

function addReflog(tips: Set<Oid>, file: string): void {
  for (const { before, after } of parseReflog(readText(file) ?? '')) {
    if (!/^0+$/.test(before)) tips.add(before)
    if (!/^0+$/.test(after)) tips.add(after)
  }
}

function parseReflog(text: string): readonly ReflogEntry[] {
  return [...text.matchAll(/^([0-9a-f]{40}) ([0-9a-f]{40}) /gm)].map(([, before = '', after = '']) => ({
    before: asOid(before),
    after: asOid(after),
  }))
}

interface PackedRefs {
  readonly refs: Map<string, Oid>
  readonly peeled: Oid[]
  /** Every annotated tag has its commit in the file. */
  readonly isFullyPeeled: boolean
}

/** One check asks for single refs again and again, each time of the file as it then stands. */
let lastPacked: { readonly text: string; readonly packed: PackedRefs } | undefined

function readPackedRefs(commonDir: string): PackedRefs {
  const text = readText(path.join(commonDir, 'packed-refs')) ?? ''
  if (lastPacked?.text !== text) lastPacked = { text, packed: parsePackedRefs(text) }
  return lastPacked.packed
}

function parsePackedRefs(text: string): PackedRefs {
  const refs = new Map<string, Oid>()
  const peeled: Oid[] = []
  // There may be many: no line is copied, and no regular expression started, for what is not kept.
  for (let at = 0; at < text.length;) {
    const newline = text.indexOf('\n', at)
    const end = newline === -1 ? text.length : newline
    if (text[at] === '^' && isHexAt(text, at + 1)) peeled.push(asOid(text.slice(at + 1, at + 41)))
    else if (text[at + 40] === ' ' && isHexAt(text, at))
      refs.set(text.slice(at + 41, end), asOid(text.slice(at, at + 40)))
    at = end + 1
  }
  return { refs, peeled, isFullyPeeled: /^# pack-refs with:.* fully-peeled /.test(text) }
}

/** Whether the 40 characters from there on are an object id's. */
function isHexAt(text: string, at: number): boolean {
  for (let i = at; i < at + 40; i++) {
    const code = text.charCodeAt(i)
    const isDigit = code >= 48 && code <= 57
    if (!isDigit && !(code >= 97 && code <= 102)) return false
  }
  return true
}

const parseOid = (text: string): Oid | undefined => {
  const hex = /^([0-9a-f]{40})\s*$/.exec(text)?.[1]
  return hex === undefined ? undefined : asOid(hex)
}

/** A name that git would refuse (git-check-ref-format) is none: it could lead anywhere. */
function parseSymbolic(text: string): string | undefined {
  // eslint-disable-next-line no-control-regex -- control characters are what is refused
  const name = /^ref:\s*([^\u0000-\u0020\u007f~^:?*[\\]+)\s*$/.exec(text)?.[1]
  return name?.includes('..') === true ? undefined : name
}

/** Regular files below a directory, named from `base`, lock files left out. */
function filesBelow(base: string, folder: string): string[] {
  return readDirectory(path.join(base, folder)).flatMap((entry) => {
    const name = `${folder}/${entry.name}`
    if (entry.isDirectory()) return filesBelow(base, name)
    return entry.isFile() && !name.endsWith('.lock') ? [name] : []
  })
}

function readDirectory(folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch (error) {
    if (isMissing(error)) return []
    throw error
  }
}

function readText(file: string): string | undefined {
  try {
    return readIfThere(file)?.toString('utf8')
  } catch (error) {
    if (hasErrno(error, 'EISDIR')) return undefined
    throw error
  }
}
