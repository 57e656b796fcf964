/**
 * The only file that knows nodegit. It takes nodegit's binary alone: the package's JavaScript costs three times as much to
 * load (`docs/decisions`). What is asked of it is in `repo.ts`.
 */

import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { promisify } from 'node:util'
import { GateError, messageOf } from '../core/errors.ts'

const require = createRequire(import.meta.filename)

/** The part of nodegit's binary that is used here; asynchronous functions end with a callback. */
export interface Binary {
  readonly Repository: { openExt: Async<NativeRepo> }
  readonly Commit: { lookup: Async<NativeCommit> }
  readonly Tree: { lookup: Async<NativeTree> }
  readonly Index: { open: Async<object> }
  readonly Oid: { fromString(hex: string): NativeOid }
  readonly Diff: { treeToIndex: Async<NativeDiff> }
  readonly Ignore: {
    addRule(repo: NativeRepo, rules: string): number
    clearInternalRules(repo: NativeRepo): number
    pathIsIgnored: Async<number>
  }
  readonly Remote: { lookup: Async<{ url(): string | null }> }
  readonly StatusList: { create: Async<NativeStatus> }
  readonly Status: { byIndex(list: NativeStatus, index: number): NativeStatusEntry }
  readonly Tag: { lookup: Async<{ targetId(): NativeOid }> }
  readonly Blob: { createFromBuffer: Async<NativeOid> }
  readonly Reference: { remove(repo: NativeRepo, name: string): number }
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- nodegit has no types of its own; each use names its result
export type Async<Result> = ((...args: any[]) => void) & { readonly result?: Result }
export type NativeRepo = object
export interface NativeOid {
  tostrS(): string
}
export interface NativeCommit {
  treeId(): NativeOid
  parentcount(): number
  parentId(index: number): NativeOid
  message(): string
  author(): { name(): string; email(): string; when(): { time(): number } }
}
export type NativeTree = object
export interface NativeDiff {
  numDeltas(): number
  getDelta(index: number): NativeDelta
}
export interface NativeStatus {
  entrycount(): number
}
export interface NativeStatusEntry {
  headToIndex(): NativeDelta | null
  indexToWorkdir(): NativeDelta | null
}
export interface NativeDelta {
  oldFile(): { path(): string }
  newFile(): { path(): string }
}

let loaded: Binary | undefined

/**
 * Loads nodegit's binary once, with its libgit2 visible to the addon.
 *
 * @returns the binary's path
 * @throws GateError GATE_NATIVE when it is missing or was built for another Node
 */
export function loadNodegit(): string {
  try {
    const path = require.resolve('nodegit/build/Release/nodegit.node')
    if (loaded === undefined) {
      const module = { exports: {} }

      process.dlopen(module, path, constants.dlopen.RTLD_NOW | constants.dlopen.RTLD_GLOBAL)
      loaded = module.exports as Binary
    }
    return path
  } catch (cause) {
    throw new GateError(
      'GATE_NATIVE',
      `nodegit cannot be loaded by Node ${process.version}: ${messageOf(cause)}`,
      { cause },
    )
  }
}

/** @throws GateError GATE_NATIVE */
export function nodegit(): Binary {
  loadNodegit()
  if (loaded === undefined) throw new GateError('GATE_NATIVE', 'nodegit is not loaded')
  return loaded
}

/** Calls a function of the binary that is static there. */
export async function call<Result>(fn: Async<Result>, ...args: unknown[]): Promise<Result> {
  const promised: (...args: unknown[]) => Promise<Result> = promisify<Result>(fn)
  return await promised(...args)
}
