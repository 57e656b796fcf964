/**
 * Attributes and conversion as a commit's tree has them, whatever the work tree says now: a private index that holds the
 * `.gitattributes` files of that tree, for the paths asked for and their parents.
 */

import { rmSync } from 'node:fs'
import { isHeld, sizeOf, startHolding, type Content, type OwnContent } from '../core/content.ts'
import type { ConversionPins, IndexEntry } from '../core/baseline.ts'
import type { Deadline } from '../core/deadline.ts'
import type { Env } from '../core/env.ts'
import type { Oid, RepoPath, Sha256 } from '../core/ids.ts'
import { native } from '../native/binding.ts'
import { cleanedOidOf, sha256Of } from '../native/large-file.ts'
import type { AttributeValue, GitHandle } from '../native/types.ts'
import { initLibgit2 } from './libgit2.ts'
import { checkOut, cleanIds, type Drivers } from './convert-plumbing.ts'
import { openBlobReader } from './blob-reader.ts'
import { entryOf, findAttributeFiles, storedEntries, writeView, type Blob } from './view-index.ts'

export interface AttributesView {
  /** The repository itself, for objects and history. */
  readonly git: GitHandle
  isGenerated(path: RepoPath): boolean
  /** Ids of contents as git would store them; a path whose filter driver fails is missing. */
  clean(contents: ReadonlyMap<RepoPath, Content>): Promise<ReadonlyMap<RepoPath, Oid>>
  /**
   * Blobs as git would check them out; a path whose filter driver fails, or whose blob is gone, is missing. Large ones are
   * files that go when the view is closed.
   */
  smudge(blobs: ReadonlyMap<RepoPath, Blob>): Promise<ReadonlyMap<RepoPath, OwnContent>>
  /**
   * Whether git would check the blob out as just this content. That need not mean that it would store them as the blob: an
   * attribute may be younger than the blob. No filter driver is asked, since it may be another one by now.
   */
  checksOutAs(path: RepoPath, blob: Blob, work: WorkFile): Promise<boolean>
  close(): void
}

interface WorkFile {
  readonly content: Content
  readonly sha256: Sha256
}

export interface ViewSource {
  readonly gitDir: string
  readonly commonDir: string
  readonly conversion: ConversionPins
  readonly commit: Oid
  readonly paths: readonly RepoPath[]
  readonly storedIn?: readonly Buffer[]
  readonly scratch: string
  readonly env: Env
  readonly deadline: Deadline
}

/**
 * @param source.commit whose tree the attributes come from
 * @param source.paths every path that will be asked for
 * @param source.storedIn indexes that say how a path is stored now, the first that has it: git leaves CRLF alone in
 *   automatic text that is stored with it. None are needed where nothing is cleaned
 * @param source.scratch existing directory of ours
 * @throws GateError GATE_GIT, GATE_NATIVE
 */
export function openAttributesView(source: ViewSource): AttributesView {
  const { gitDir, conversion, commit, paths, scratch } = source
  initLibgit2()
  const gate = native()
  const git = gate.openGit({ gitDir })
  const attributeFiles = findAttributeFiles(git, commit, paths)
  const viewIndex = writeView(scratch, attributeFiles)
  const view = gate.openGit({ gitDir: conversion.gitDir, indexPath: viewIndex })
  const plumbing = {
    ...source,
    pinnedDir: conversion.gitDir,
    settings: gate.configuration(view, PINNED_SETTINGS).map(([key, value]) => `${key}=${value}`),
    viewIndex,
    attributeFiles: new Map(
      attributeFiles.map((entry) => [entry.path, gate.readBlob(git, entry.oid) ?? Buffer.alloc(0)]),
    ),
  }
  const crlf = openCrlfView(source, attributeFiles)
  const reader = openBlobReader({ git, view, scratch })
  const known = new Map<RepoPath, PathAttributes>()
  const attributesOf = (name: RepoPath): PathAttributes => {
    const found = known.get(name) ?? readAttributes(view, name, conversion)
    known.set(name, found)
    return found
  }
  const byRoute = <Item>(items: ReadonlyMap<RepoPath, Item>): Routed<Item> => {
    const routed = {
      libgit2: new Map<RepoPath, Item>(),
      git: new Map<RepoPath, Item>(),
      driver: new Map<RepoPath, Item>(),
    }
    for (const [name, item] of items) routed[attributesOf(name).route].set(name, item)
    return routed
  }
  const driversOf = (names: Iterable<RepoPath>): Drivers =>
    Object.assign({}, ...[...names].map((name) => attributesOf(name).drivers)) as Drivers
  const clean: AttributesView['clean'] = async (contents) => {
    const routed = byRoute(contents)
    const ids = [...routed.libgit2].map(([name, content]) => {
      const hasCrlf = !isHeld(content) || content.includes('\r\n')
      return [name, cleanedOidOf(hasCrlf ? crlf.git() : view, name, content)] as const
    })
    const byGit = await cleanIds(plumbing, routed.git, {})
    return new Map([
      ...ids,
      ...byGit,
      ...(await cleanIds(plumbing, routed.driver, driversOf(routed.driver.keys()))),
    ])
  }
  const checkOutBlobs = async (
    blobs: ReadonlyMap<RepoPath, Blob>,
  ): Promise<ReadonlyMap<RepoPath, OwnContent>> => {
    if (blobs.size === 0) return new Map()
    const entries = [...blobs].map(([name, blob]) => entryOf(name, blob))
    const index = writeView(scratch, [...attributeFiles, ...entries])
    try {
      const names = [...blobs.keys()]
      return await checkOut({ ...plumbing, viewIndex: index }, names, { drivers: driversOf(names), reader })
    } finally {
      rmSync(index, { force: true })
    }
  }
  const smudgeAll: AttributesView['smudge'] = async (blobs) => {
    const routed = byRoute(blobs)
    const isToHold = startHolding()
    const done = [...routed.libgit2].flatMap(([name, { oid }]) => {
      const content = reader.checkOut(name, oid, isToHold)
      return content === undefined ? [] : [[name, content] as const]
    })
    const driven = await checkOutBlobs(routed.driver)
    // A driver may have been changed since: what it gives must be what git would store as the blob.
    const ids = await clean(driven)
    const proven = [...driven].filter(([name]) => ids.get(name) === blobs.get(name)?.oid)
    return new Map([...done, ...(await checkOutBlobs(routed.git)), ...proven])
  }
  // A large blob is written once, however often it is asked for.
  const written = new Map<string, OwnContent>()
  const smudge: AttributesView['smudge'] = async (blobs) => {
    const keyOf = (name: RepoPath): string => `${blobs.get(name)?.oid ?? ''} ${name}`
    const rest = [...blobs].filter(([name]) => !written.has(keyOf(name)))
    const made = new Map(await smudgeAll(new Map(rest)))
    for (const [name, content] of made) if (!isHeld(content)) written.set(keyOf(name), content)
    for (const name of blobs.keys()) {
      const content = written.get(keyOf(name))
      if (content !== undefined) made.set(name, content)
    }
    return made
  }
  return {
    git,
    clean,
    smudge,
    isGenerated: (name) => attributesOf(name).isGenerated,
    async checksOutAs(name, blob, work) {
      if (!mayBeOneWay(view, name, { ...work, route: attributesOf(name).route })) return false
      const made = (await smudge(new Map([[name, blob]]))).get(name)
      if (made === undefined || sizeOf(made) !== sizeOf(work.content)) return false
      return isHeld(made) && isHeld(work.content) ? made.equals(work.content) : sha256Of(made) === work.sha256
    },
    close() {
      reader.close()
      crlf.close()
      gate.closeGit(view)
      gate.closeGit(git)
      rmSync(viewIndex, { force: true })
    },
  }
}

/** What a driver's paths are converted by as well. */
const PINNED_SETTINGS = String.raw`^core\.(autocrlf|eol|attributesfile|ignorecase)$`

/**
 * The view for content with CRLF: git leaves it as it is in automatic text when the index has CRLF there too, so this one
 * also holds how the paths are stored. Opened when it is first asked for.
 */
function openCrlfView(
  source: Pick<ViewSource, 'conversion' | 'paths' | 'storedIn' | 'scratch'>,
  attributeFiles: readonly IndexEntry[],
): { git(): GitHandle; close(): void } {
  let opened: { readonly git: GitHandle; readonly file: string } | undefined
  return {
    git() {
      if (opened === undefined) {
        const stored = storedEntries(source.storedIn ?? [], source.paths)
        const file = writeView(source.scratch, [...attributeFiles, ...stored])
        opened = { file, git: native().openGit({ gitDir: source.conversion.gitDir, indexPath: file }) }
      }
      return opened.git
    },
    close() {
      if (opened === undefined) return
      native().closeGit(opened.git)
      rmSync(opened.file, { force: true })
    },
  }
}

/** Content for which smudging may give what cleaning does not take back. A driver is not asked. */
function mayBeOneWay(
  view: GitHandle,
  name: RepoPath,
  { content, route }: { readonly content: Content; readonly route: Route },
): boolean {
  if (route !== 'libgit2') return route === 'git'
  if (!isHeld(content)) return native().mayClean(view, name)
  return content.includes('\r\n') || content.includes('$Id')
}

/** Who converts a path: libgit2, git for an encoding that libgit2 does not know, or git with a filter driver. */
type Route = 'libgit2' | 'git' | 'driver'

type Routed<Item> = Readonly<Record<Route, ReadonlyMap<RepoPath, Item>>>

interface PathAttributes {
  readonly route: Route
  readonly drivers: Drivers
  readonly isGenerated: boolean
}

function readAttributes(view: GitHandle, name: RepoPath, { drivers }: ConversionPins): PathAttributes {
  const [filter, encoding, generated] = native().attributes(view, name, [
    'filter',
    'working-tree-encoding',
    'linguist-generated',
  ])
  const isGenerated = isSet(generated)
  const driver = typeof filter === 'string' ? drivers[filter] : undefined
  if (typeof filter === 'string' && driver !== undefined)
    return { route: 'driver', drivers: { [filter]: driver }, isGenerated }
  return { route: typeof encoding === 'string' ? 'git' : 'libgit2', drivers: {}, isGenerated }
}

/** GitHub's Linguist takes the attribute as a flag and as a value. */
const isSet = (value: AttributeValue): boolean => value === true || value === 'true'
