/**
 * The only file that knows nodegit. It takes nodegit's binary alone, and makes a module of it only for the questions of
 * `repo.ts` that the addon does not ask libgit2 itself (`docs/decisions`).
 */

import { createRequire } from 'node:module'
import { constants } from 'node:os'
import { promisify } from 'node:util'
import { GateError, messageOf } from '../core/errors.ts'

const require = createRequire(import.meta.filename)

/** The part of nodegit's binary that is used here; asynchronous functions end with a callback. */
export interface Binary {
  readonly Repository: { openExt: Async<NativeRepo> }
  readonly Tree: { lookup: Async<object> }
  readonly Index: { open: Async<object> }
  readonly Oid: { fromString(hex: string): object }
  readonly Diff: { treeToIndex: Async<NativeDiff> }
  readonly Ignore: {
    addRule(repo: NativeRepo, rules: string): number
    clearInternalRules(repo: NativeRepo): number
    pathIsIgnored: Async<number>
  }
  readonly Remote: { lookup: Async<{ url(): string | null }> }
  readonly StatusList: { create: Async<NativeStatus> }
  readonly Status: { byIndex(list: NativeStatus, index: number): NativeStatusEntry }
  readonly Blob: { createFromBuffer: Async<object> }
  readonly Reference: { remove(repo: NativeRepo, name: string): number }
}

// eslint-disable-next-line @typescript-eslint/no-explicit-any -- nodegit has no types of its own; each use names its result
export type Async<Result> = ((...args: any[]) => void) & { readonly result?: Result }
export type NativeRepo = object
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

/** @throws GateError GATE_NATIVE when nodegit is not installed */
export function nodegitBinary(): string {
  return asNative(() => require.resolve('nodegit/build/Release/nodegit.node'))
}

let loaded: Binary | undefined

/** @throws GateError GATE_NATIVE when it is missing or was built for another Node */
export function nodegit(): Binary {
  loaded ??= asNative(() => {
    const module = { exports: {} }
    process.dlopen(module, nodegitBinary(), constants.dlopen.RTLD_NOW)
    return module.exports as Binary
  })
  return loaded
}

/** Loads something of nodegit's. @throws GateError GATE_NATIVE */
export function asNative<Result>(load: () => Result): Result {
  try {
    return load()
  } catch (cause) {
    if (cause instanceof GateError) throw cause
    throw new GateError(
      'GATE_NATIVE',
      `nodegit cannot be loaded by Node ${process.version}: ${messageOf(cause)}`,
      { cause },
    )
  }
}

/** Calls a function of the binary that is static there. */
export async function call<Result>(fn: Async<Result>, ...args: unknown[]): Promise<Result> {
  const promised: (...args: unknown[]) => Promise<Result> = promisify<Result>(fn)
  return await promised(...args)
}
