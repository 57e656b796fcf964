import { renameSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deadline } from '../core/deadline.ts'
import { GateError, isMissing } from '../core/errors.ts'
import { native } from '../native/binding.ts'
import { readRegularFile } from '../native/regular-file.ts'
import { bootId } from './boot-id.ts'
import { makeStateFolder } from './folder.ts'
import { refill } from './in-place.ts'
import { elapsedMs } from '../native/clock.ts'

const WAIT_MS = 3_000
const POLL_MS = 5
/** A holder this old hangs: a killed one would have left no lock. */
const TAKE_OVER_AFTER_MS = 30_000

export interface KernelLock {
  /** @throws GateError GATE_LOCKED when the lock file is no longer the one that was locked */
  checkStillHeld(): void
  release(): void
}

/**
 * The lock of one session's record, held only while it is read, changed and written. One held for over 30 s is taken
 * over by putting a new lock file in its place; its old holder finds out before it writes.
 *
 * @throws GateError GATE_LOCKED when it stays held for 3 s or the deadline's rest
 */
export async function lockSession(sessionDir: string, deadline: Deadline): Promise<KernelLock> {
  makeStateFolder(sessionDir)
  const file = path.join(sessionDir, 'lock')
  const lock = await waitForLock(file, deadline, () => {
    takeOverWhenHung(file)
    return native().lockFile(file, { create: true })
  })
  refill(file, JSON.stringify({ takenAtMs: monotonicMs(), boot: bootOrNone() }))
  return lock
}

/** Lets one hook of a session arm at a time. @throws GateError GATE_LOCKED as {@link lockSession}; it is never taken over */
export async function lockArming(sessionDir: string, deadline: Deadline): Promise<KernelLock> {
  makeStateFolder(sessionDir)
  const file = path.join(sessionDir, 'arming')
  return await waitForLock(file, deadline, () => native().lockFile(file, { create: true }))
}

/**
 * The lock of work on a repository, on its common directory itself: it leaves no file and holds across state roots.
 *
 * @throws GateError GATE_LOCKED as {@link lockSession}; it is never taken over
 */
export async function lockTree(commonDir: string, deadline: Deadline): Promise<KernelLock> {
  try {
    return await waitForLock(commonDir, deadline, () => native().lockFile(commonDir))
  } catch (cause) {
    if (!isMissing(cause)) throw cause
    throw new GateError('GATE_GIT', `the repository is gone: ${commonDir}`, { cause })
  }
}

/**
 * Runs `work` while no hook checks one of the trees; a repository that is gone has none.
 *
 * @throws GateError GATE_LOCKED as {@link lockTree}; `work` has not run then
 */
export async function withTreeLocks<Result>(
  trees: readonly { readonly commonDir: string }[],
  deadline: Deadline,
  work: () => Promise<Result>,
): Promise<Result> {
  const locks: KernelLock[] = []
  try {
    for (const commonDir of [...new Set(trees.map((tree) => tree.commonDir))].sort()) {
      const lock = await lockIfThere(commonDir, deadline)
      if (lock !== undefined) locks.push(lock)
    }
    return await work()
  } finally {
    for (const lock of locks) lock.release()
  }
}

async function lockIfThere(commonDir: string, deadline: Deadline): Promise<KernelLock | undefined> {
  try {
    return await lockTree(commonDir, deadline)
  } catch (error) {
    if (error instanceof GateError && error.code === 'GATE_GIT') return undefined
    throw error
  }
}

async function waitForLock(
  file: string,
  deadline: Deadline,
  attempt: () => ReturnType<ReturnType<typeof native>['lockFile']>,
): Promise<KernelLock> {
  const giveUpAtMs = elapsedMs() + Math.min(WAIT_MS, Math.max(0, deadline.remaining() - 100))
  for (;;) {
    const lock = attempt()
    if (lock !== 'held' && native().lockHolds(lock.fd, file)) return heldLock(lock.fd, file)
    // Locked, but by a name that somebody gave to another file meanwhile.
    if (lock !== 'held') native().unlock(lock.fd)
    if (elapsedMs() >= giveUpAtMs) throw new GateError('GATE_LOCKED', `another hook holds the lock ${file}`)
    await sleep(POLL_MS)
  }
}

function takeOverWhenHung(file: string): void {
  const taken = readTaken(file)
  if (
    taken === undefined ||
    taken.boot !== bootOrNone() ||
    monotonicMs() - taken.takenAtMs < TAKE_OVER_AFTER_MS
  )
    return
  const fresh = `${file}.${String(process.pid)}`
  refill(fresh, '')
  renameSync(fresh, file)
}

function readTaken(file: string): { readonly takenAtMs: number; readonly boot: string } | undefined {
  try {
    const value: unknown = JSON.parse(readRegularFile(file)?.toString('utf8') ?? 'null')
    if (typeof value !== 'object' || value === null || !('takenAtMs' in value) || !('boot' in value))
      return undefined
    return { takenAtMs: Number(value.takenAtMs), boot: String(value.boot) }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

const bootOrNone = (): string => bootId() ?? ''

/** Milliseconds since boot, the same clock for every process. */
const monotonicMs = (): number => Number(process.hrtime.bigint() / 1_000_000n)

function heldLock(fd: number, file: string): KernelLock {
  let isHeld = true
  return {
    checkStillHeld() {
      if (isHeld && native().lockHolds(fd, file)) return
      throw new GateError('GATE_LOCKED', `the lock was taken over: ${file}`)
    },
    release() {
      if (!isHeld) return
      if (native().lockHolds(fd, file) && path.basename(file) === 'lock') refill(file, '')
      native().unlock(fd)
      isHeld = false
    },
  }
}
