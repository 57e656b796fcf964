/**
 * Attributes and conversion as a commit's tree has them, whatever the work tree says now: a private index that holds the
 * `.gitattributes` files of that tree, for the paths asked for and their parents.
 */

import { rmSync } from 'node:fs'
import path from 'node:path'
import type { ConversionPins, IndexEntry } from '../core/baseline.ts'
import type { Deadline } from '../core/deadline.ts'
import type { Env } from '../core/env.ts'
import { GateError, messageOf } from '../core/errors.ts'
import { asRepoPath, type Oid, type RepoPath } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import type { AttributeValue, GitHandle } from '../native/types.ts'
import { initLibgit2 } from './libgit2.ts'
import { checkOut, cleanIds, type Drivers } from './plumbing.ts'

export interface AttributesView {
  /** The repository itself, for objects and history. */
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
  readonly conversion: ConversionPins
  readonly commit: Oid
  readonly paths: readonly RepoPath[]
  readonly scratch: string
  readonly env: Env
  readonly deadline: Deadline
}): AttributesView {
  const { gitDir, conversion, commit, paths, scratch } = source
  initLibgit2()
  const gate = native()
  const git = gate.openGit({ gitDir })
  const attributeFiles = findAttributeFiles(git, commit, paths)
  const viewIndex = writeView(scratch, attributeFiles)
  const plumbing = {
    ...source,
    viewIndex,
    attributeFiles: new Map(
      attributeFiles.map((entry) => [entry.path, gate.readBlob(git, entry.oid) ?? Buffer.alloc(0)]),
    ),
  }
  const view = gate.openGit({ gitDir: conversion.gitDir, indexPath: viewIndex })
  const known = new Map<RepoPath, PathAttributes>()
  const attributesOf = (name: RepoPath): PathAttributes => {
    const found = known.get(name) ?? readAttributes(view, name, conversion)
    known.set(name, found)
    return found
  }
  const route = (name: RepoPath): Route => attributesOf(name).route
  const clean: AttributesView['clean'] = async (contents) => {
    const [inside, outside] = partition([...contents], ([name]) => route(name).kind === 'libgit2')
    const ids = inside.map(([name, bytes]) => [name, gate.hashBlob(gate.clean(view, name, bytes))] as const)
    if (outside.length === 0) return new Map(ids)
    const drivers = driversOf(outside.map(([name]) => route(name)))
    return new Map([...ids, ...(await cleanIds(plumbing, new Map(outside), drivers))])
  }
  return {
    git,
    clean,
    isGenerated: (name) => attributesOf(name).isGenerated,
    async smudge(blobs) {
      const [inside, outside] = partition([...blobs], ([name]) => route(name).kind === 'libgit2')
      const done = inside.flatMap(([name, blob]) => {
        const stored = gate.readBlob(git, blob.oid)
        return stored === undefined ? [] : [[name, gate.smudge(view, name, stored)] as const]
      })
      if (outside.length === 0) return new Map(done)
      const index = writeView(scratch, [
        ...attributeFiles,
        ...outside.map(([name, blob]) => entryOf(name, blob)),
      ])
      try {
        const names = outside.map(([name]) => name)
        const files = await checkOut({ ...plumbing, viewIndex: index }, names, driversOf(names.map(route)))
        // A driver may have been changed since: what it gives must be what git would store as the blob.
        const ids = await clean(files)
        return new Map([...done, ...[...files].filter(([name]) => ids.get(name) === blobs.get(name)?.oid)])
      } finally {
        rmSync(index, { force: true })
      }
    },
    close() {
      gate.closeGit(view)
      gate.closeGit(git)
      rmSync(viewIndex, { force: true })
    },
  }
}

/** Who converts a path: libgit2, or git for what libgit2 cannot do. */
type Route = { readonly kind: 'libgit2' } | { readonly kind: 'plumbing'; readonly drivers: Drivers }

interface PathAttributes {
  readonly route: Route
  readonly isGenerated: boolean
}

function readAttributes(view: GitHandle, name: RepoPath, { drivers }: ConversionPins): PathAttributes {
  const [filter, encoding, generated] = native().attributes(view, name, [
    'filter',
    'working-tree-encoding',
    'linguist-generated',
  ])
  const driver = typeof filter === 'string' ? drivers[filter] : undefined
  const isGenerated = isSet(generated)
  if (typeof filter === 'string' && driver !== undefined)
    return { route: { kind: 'plumbing', drivers: { [filter]: driver } }, isGenerated }
  return {
    route: typeof encoding === 'string' ? { kind: 'plumbing', drivers: {} } : { kind: 'libgit2' },
    isGenerated,
  }
}

const driversOf = (routes: readonly Route[]): Drivers =>
  Object.assign({}, ...routes.map((route) => (route.kind === 'plumbing' ? route.drivers : {}))) as Drivers

/** GitHub's Linguist takes the attribute as a flag and as a value. */
const isSet = (value: AttributeValue): boolean => value === true || value === 'true'

function findAttributeFiles(git: GitHandle, commit: Oid, paths: readonly RepoPath[]): IndexEntry[] {
  const folders = new Set<string>([''])
  for (const name of paths) {
    for (let at = name.indexOf('/'); at !== -1; at = name.indexOf('/', at + 1))
      folders.add(name.slice(0, at + 1))
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

/** A plain entry of stage 0. */
export const entryOf = (name: RepoPath, { oid, mode }: Blob): IndexEntry => ({
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
