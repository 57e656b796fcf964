/**
 * Attributes and conversion as a commit's tree has them, whatever the work tree says now: a private index that holds the
 * `.gitattributes` files of that tree, for the paths asked for and their parents.
 */

import { rmSync } from 'node:fs'
import path from 'node:path'
import type { IndexEntry } from '../core/baseline.ts'
import type { Deadline } from '../core/deadline.ts'
import type { Env } from '../core/env.ts'
import { GateError, messageOf } from '../core/errors.ts'
import { asRepoPath, type Oid, type RepoPath } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import type { AttributeValue, GitHandle } from '../native/types.ts'
import { checkOut, cleanIds, type Plumbing } from './plumbing.ts'
import { loadNodegit } from './repo.ts'

export interface AttributesView {
  readonly git: GitHandle
  isGenerated(path: RepoPath): boolean
  /** Ids of contents as git would store them; a path whose filter driver fails is missing. */
  clean(contents: ReadonlyMap<RepoPath, Buffer>): Promise<ReadonlyMap<RepoPath, Oid>>
  /** Blobs as git would check them out; a path whose filter driver fails, or whose blob is gone, is missing. */
  smudge(blobs: ReadonlyMap<RepoPath, Blob>): Promise<ReadonlyMap<RepoPath, Buffer>>
  close(): void
}

export interface Blob {
  readonly oid: Oid
  readonly mode: number
}

/**
 * @param source.commit whose tree the attributes come from
 * @param source.paths every path that will be asked for
 * @param source.scratch existing directory of ours
 * @throws GateError GATE_GIT, GATE_NATIVE
 */
export function openAttributesView(source: {
  readonly gitDir: string
  readonly commit: Oid
  readonly paths: readonly RepoPath[]
  readonly scratch: string
  readonly env: Env
  readonly deadline: Deadline
}): AttributesView {
  const { gitDir, commit, paths, scratch } = source
  initLibgit2()
  const gate = native()
  const plain = gate.openGit({ gitDir })
  const attributeFiles = findAttributeFiles(plain, commit, paths)
  gate.closeGit(plain)

  const viewIndex = writeView(scratch, attributeFiles)
  const git = gate.openGit({ gitDir, indexPath: viewIndex })
  const conversionOf = (name: RepoPath): Conversion => readConversion(git, name)
  const plumbingWith = (index: string): Plumbing => ({ ...source, viewIndex: index })
  return {
    git,
    isGenerated: (name) => isSet(gate.attributes(git, name, ['linguist-generated'])[0]),
    async clean(contents) {
      const [inside, outside] = partition([...contents], ([name]) => conversionOf(name).kind === 'libgit2')
      const ids = inside.map(([name, bytes]) => [name, gate.hashBlob(gate.clean(git, name, bytes))] as const)
      if (outside.length === 0) return new Map(ids)
      const drivers = driversOf(outside.map(([name]) => conversionOf(name)))
      return new Map([...ids, ...(await cleanIds(plumbingWith(viewIndex), new Map(outside), drivers))])
    },
    async smudge(blobs) {
      const [inside, outside] = partition([...blobs], ([name]) => conversionOf(name).kind === 'libgit2')
      const done = inside.flatMap(([name, blob]) => {
        const stored = gate.readBlob(git, blob.oid)
        return stored === undefined ? [] : [[name, gate.smudge(git, name, stored)] as const]
      })
      if (outside.length === 0) return new Map(done)
      const entries = outside.map(([name, blob]) => entryOf(name, blob))
      const index = writeView(scratch, [...attributeFiles, ...entries])
      const drivers = driversOf(outside.map(([name]) => conversionOf(name)))
      try {
        return new Map([...done, ...(await checkOut(plumbingWith(index), outside.map(([name]) => name), drivers))])
      } finally {
        rmSync(index, { force: true })
      }
    },
    close() {
      gate.closeGit(git)
      rmSync(viewIndex, { force: true })
    },
  }
}

/** Makes libgit2's functions available to the addon; a binary without them is a broken installation. */
export function initLibgit2(): void {
  if (native().initGit(loadNodegit())) return
  throw new GateError('GATE_NATIVE', "nodegit's binary does not export libgit2's functions")
}

type Conversion = { readonly kind: 'libgit2' } | { readonly kind: 'plumbing'; readonly driver: string | undefined }

function readConversion(git: GitHandle, name: RepoPath): Conversion {
  const [filter, encoding] = native().attributes(git, name, ['filter', 'working-tree-encoding'])
  if (typeof filter !== 'string' && typeof encoding !== 'string') return { kind: 'libgit2' }
  return { kind: 'plumbing', driver: typeof filter === 'string' ? filter : undefined }
}

const driversOf = (conversions: readonly Conversion[]): string[] => [
  ...new Set(conversions.flatMap((conversion) => (conversion.kind === 'plumbing' ? (conversion.driver ?? []) : []))),
]

/** GitHub's Linguist takes the attribute as a flag and as a value. */
const isSet = (value: AttributeValue): boolean => value === true || value === 'true'

function findAttributeFiles(git: GitHandle, commit: Oid, paths: readonly RepoPath[]): IndexEntry[] {
  const folders = new Set<string>([''])
  for (const name of paths) {
    for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1)) folders.add(name.slice(0, at + 1))
  }
  return [...folders].flatMap((folder) => {
    const name = asRepoPath(`${folder}.gitattributes`)
    const blob = blobAt(git, commit, name)
    return blob === undefined ? [] : [entryOf(name, blob)]
  })
}

function blobAt(git: GitHandle, commit: Oid, name: RepoPath): Blob | undefined {
  try {
    return native().blobAt(git, commit, name)
  } catch (cause) {
    throw new GateError('GATE_GIT', `git ls-tree ${commit} failed: ${messageOf(cause)}`, { cause })
  }
}

const entryOf = (name: RepoPath, { oid, mode }: Blob): IndexEntry => ({
  path: name,
  stage: 0,
  mode,
  oid,
  assumeValid: false,
  skipWorktree: false,
  intentToAdd: false,
})

let views = 0

function writeView(scratch: string, entries: readonly IndexEntry[]): string {
  views += 1
  const file = path.join(scratch, `view-${String(process.pid)}-${String(views)}`)
  rmSync(file, { force: true })
  native().prepareIndex({ indexPath: file, tempPath: file, index: undefined, set: entries, remove: [] })
  return file
}

function partition<Item>(items: readonly Item[], belongs: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(belongs), items.filter((item) => !belongs(item))]
}
