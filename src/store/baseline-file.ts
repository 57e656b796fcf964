import { readdirSync, rmSync, statSync } from 'node:fs'
import path from 'node:path'
import { BASELINE_VERSION, type Baseline, type PinnedRefs } from '../core/baseline.ts'
import { GateError } from '../core/errors.ts'
import { native } from '../native/binding.ts'
import { digestName } from '../native/digest.ts'
import { lastFrontCheckMs } from './certificate.ts'
import { makeStateFolder, namesIn } from './folder.ts'
import { refill } from './in-place.ts'
import { readSealed, writeSealed } from './sealed.ts'
import { mapState, readState, writeState } from './state-file.ts'
import { uniqueName } from './unique-name.ts'

/** A pinned work tree with the files that lie beside its description. */
export interface SavedPins {
  readonly baseline: Baseline
  readonly index: Buffer
  readonly table: Buffer
  /** Rows that the table has, or is to have, and its file has not. */
  readonly patch?: Buffer | undefined
}

/** One file names the others, so that a pass killed between two writes leaves the old set whole. */
interface Manifest {
  readonly baseline: Baseline
  readonly indexFile: string
  readonly tableFile: string
  /** Absent while the table's own file has all its rows. */
  readonly patchFile?: string
}

const MANIFEST = 'baseline.json'
const REFS = 'refs.json'

const rootsOf = (sessionDir: string): string => path.join(sessionDir, 'roots')
const folderOf = (sessionDir: string, root: string): string =>
  path.join(rootsOf(sessionDir), digestName(root))

/** Where a root's conversion settings are pinned. */
export const conversionDirOf = (sessionDir: string, root: string): string =>
  path.join(sessionDir, 'conversion', digestName(root))

/** Roots that the session has pinned, as folders. */
const pinnedFolders = (sessionDir: string): string[] =>
  namesIn(rootsOf(sessionDir)).map((name) => path.join(rootsOf(sessionDir), name))

/** A pinned work tree and where its pins are. */
export interface PinnedTree {
  readonly baseline: Baseline
  /** Paths of its files. */
  readonly manifest: string
  readonly index: string
  readonly table: string
  readonly patch: string | undefined
}

/** @returns the work trees that the session guards, in no order; a folder of another version is left out */
export function listPins(sessionDir: string): readonly PinnedTree[] {
  return pinnedFolders(sessionDir).flatMap((folder) => {
    const manifest = readManifest(folder)
    if (manifest === undefined) return []
    const { baseline, indexFile, tableFile, patchFile } = manifest
    return [
      {
        baseline,
        manifest: path.join(folder, MANIFEST),
        index: path.join(folder, indexFile),
        table: path.join(folder, tableFile),
        patch: patchFile === undefined ? undefined : path.join(folder, patchFile),
      },
    ]
  })
}

export const listPinnedRoots = (sessionDir: string): readonly Baseline[] =>
  listPins(sessionDir).map(({ baseline }) => baseline)

/** Why what an armed session guards cannot be told any more; undefined when it can. */
export type LostPins = 'gone' | 'other-version'

/** Looks whether every work tree that was pinned can still be compared. */
export function lostPins(sessionDir: string): LostPins | undefined {
  const folders = pinnedFolders(sessionDir)
  if (folders.length === 0) return 'gone'
  const lost = folders.filter((folder) => readManifest(folder) === undefined)
  if (lost.length === 0) return undefined
  return lost.some((folder) => readState(path.join(folder, MANIFEST)) === undefined)
    ? 'gone'
    : 'other-version'
}

/** Whether a session has pinned anything, by whatever version. */
export const hasPins = (sessionDir: string): boolean => pinnedFolders(sessionDir).length > 0

/**
 * @returns undefined when the root is not pinned, or by another version
 * @throws GateError GATE_STATE when the files cannot be read or do not belong together
 */
export function readPins(sessionDir: string, root: string): SavedPins | undefined {
  const folder = folderOf(sessionDir, root)
  const manifest = readManifest(folder)
  if (manifest === undefined) return undefined
  if (manifest.baseline.root !== root)
    throw new GateError('GATE_STATE', `this baseline is of another root: ${folder}`)
  const index = readPart(folder, manifest.indexFile)
  const table = readPart(folder, manifest.tableFile)
  if (index === undefined || table === undefined)
    throw new GateError('GATE_STATE', `a file of the baseline is missing in ${folder}`)
  return { baseline: manifest.baseline, index, table, patch: readPatch(folder, manifest, table) }
}

/** Gives a table that was just read the rows of its patch. */
function readPatch(folder: string, { patchFile }: Manifest, table: Buffer): Buffer | undefined {
  if (patchFile === undefined) return undefined
  const file = path.join(folder, patchFile)
  const patch = readPart(folder, patchFile)
  try {
    if (patch !== undefined) native().applyPatch(table, patch)
  } catch (cause) {
    throw new GateError('GATE_STATE', `this patch is not of its table: ${file}`, { cause })
  }
  if (patch === undefined) throw new GateError('GATE_STATE', `a file of the baseline is missing: ${file}`)
  return patch
}

/** @throws GateError GATE_STATE when they are missing or damaged */
export function readPinnedRefs(sessionDir: string, root: string): PinnedRefs {
  const file = path.join(folderOf(sessionDir, root), REFS)
  const refs = readSealed(file, () => true)
  if (refs === undefined) throw new GateError('GATE_STATE', `the pinned refs are missing: ${file}`)
  return refs as PinnedRefs
}

/** @throws GateError GATE_STATE when something cannot be written; the pins saved before stay */
export function writePins(sessionDir: string, pins: SavedPins, refs?: PinnedRefs): void {
  const folder = folderOf(sessionDir, pins.baseline.root)
  makeStateFolder(folder)
  const indexFile = writePart(folder, 'index', pins.index)
  const { tableFile, patchFile } = writeTable(folder, pins)
  if (refs !== undefined) writeSealed(path.join(folder, REFS), refs)
  const patched = patchFile === undefined ? {} : { patchFile }
  const manifest: Manifest = { baseline: pins.baseline, indexFile, tableFile, ...patched }
  writeSealed(path.join(folder, MANIFEST), manifest)
  const kept = new Set([indexFile, tableFile, patchFile, MANIFEST, REFS])
  for (const name of readdirSync(folder))
    if (!kept.has(name)) rmSync(path.join(folder, name), { force: true })
}

/** A patch this much smaller than its table is written beside it, since a table has 48 bytes for each path. */
const TABLES_PER_PATCH = 8

function writeTable(
  folder: string,
  { table, patch }: SavedPins,
): { readonly tableFile: string; readonly patchFile: string | undefined } {
  const isBeside =
    patch !== undefined && fileOfPart.has(table) && patch.length * TABLES_PER_PATCH <= table.length
  if (patch !== undefined && !isBeside) {
    native().applyPatch(table, patch)
    fileOfPart.delete(table)
  }
  return {
    tableFile: writePart(folder, 'table', table),
    patchFile: isBeside ? writePart(folder, 'patch', patch) : undefined,
  }
}

/** Which file a part was read from: one that goes unchanged through a check is neither hashed nor written again. */
const fileOfPart = new WeakMap<Buffer, string>()

/** @returns the files that pins were read from */
export const filesOfPins = ({ index, table, patch }: SavedPins) => ({
  index: fileOfPart.get(index),
  table: fileOfPart.get(table),
  patch: patch === undefined ? undefined : fileOfPart.get(patch),
})

function readPart(folder: string, name: string): Buffer | undefined {
  const file = path.join(folder, name)
  const bytes = mapState(file)
  if (bytes !== undefined) fileOfPart.set(bytes, file)
  return bytes
}

/** @returns its name in the folder, which no other content has */
function writePart(folder: string, kind: 'index' | 'table' | 'patch', bytes: Buffer): string {
  const known = fileOfPart.get(bytes)
  if (known !== undefined && path.dirname(known) === folder) return path.basename(known)
  const name = `${kind}-${uniqueName()}`
  const file = path.join(folder, name)
  writeState(file, bytes)
  fileOfPart.set(bytes, file)
  return name
}

/** When a check last looked at what the session guards, the front's among them, in milliseconds since the epoch. */
export function lastCheckMs(sessionDir: string): number | undefined {
  const own = statSync(checkMark(sessionDir), { throwIfNoEntry: false })?.mtimeMs
  const front = lastFrontCheckMs(sessionDir)
  if (own === undefined || front === undefined) return own
  return Math.max(own, front)
}

/** Notes that the session's trees were compared just now. */
export function markCheck(sessionDir: string): void {
  refill(checkMark(sessionDir), '')
}

const checkMark = (sessionDir: string): string => path.join(sessionDir, 'last-check')

/** Forgets what is guarded; raw copies and kept files stay. */
export function removePins(sessionDir: string): void {
  rmSync(rootsOf(sessionDir), { recursive: true, force: true })
}

function readManifest(folder: string): Manifest | undefined {
  const isOurs = ({ baseline }: Partial<Manifest>): boolean => baseline?.version === BASELINE_VERSION
  return readSealed(path.join(folder, MANIFEST), isOurs) as Manifest | undefined
}
