/**
 * gstack's lock: a directory beside the file, holding the owner's token. gstack's own tools take the same lock on
 * settings.json, and it needs no addon, so that a switch can be turned off when nothing else works.
 */

import { mkdirSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { GateError, hasErrno, isMissing } from '../core/errors.ts'
import { isProcessGone } from './process-gone.ts'
import { uniqueName } from './unique-name.ts'
import { elapsedMs } from '../native/clock.ts'

const POLL_MS = 50
const WAIT_MS = 10_000
/** A lock this old was left behind, whoever took it. */
const STALE_MS = 30_000

export interface HeldLock {
  /** @throws GateError GATE_LOCKED when somebody took the lock over; call it right before the write */
  check(): void
}

/**
 * Runs `work` while holding the lock directory at `path`, whose parent must exist.
 *
 * A lock whose owner is a process of this machine that is gone, or that is older than 30 s, is taken over.
 *
 * @throws GateError GATE_LOCKED when the lock stays held for 10 s; `work` has not run then
 */
export async function withDirectoryLock<Result>(
  path: string,
  work: (lock: HeldLock) => Promise<Result>,
): Promise<Result> {
  const token = `${String(process.pid)}@${hostname()} ${uniqueName()}`
  await acquire(path, token)
  try {
    return await work({
      check() {
        if (readToken(path) === token) return
        throw new GateError('GATE_LOCKED', `another process took over the lock ${path}`)
      },
    })
  } finally {
    if (readToken(path) === token) rmSync(path, { recursive: true, force: true })
  }
}

async function acquire(path: string, token: string): Promise<void> {
  const giveUpAtMs = elapsedMs() + WAIT_MS
  while (!tryAcquire(path, token)) {
    if (takeOverStale(path)) continue
    if (elapsedMs() > giveUpAtMs)
      throw new GateError(
        'GATE_LOCKED',
        `somebody else has held the lock for 10 s; if nobody does, remove ${path}`,
      )
    await sleep(POLL_MS)
  }
}

function tryAcquire(path: string, token: string): boolean {
  try {
    mkdirSync(path, { mode: 0o700 })
  } catch (error) {
    if (hasErrno(error, 'EEXIST')) return false
    throw error
  }
  writeFileSync(ownerPath(path), token)
  return true
}

/** @returns whether the lock may be free now */
function takeOverStale(path: string): boolean {
  const takenAtMs = statSync(path, { throwIfNoEntry: false })?.mtimeMs
  if (takenAtMs === undefined) return true
  const owner = readToken(path)
  if (!isGone(owner) && Date.now() - takenAtMs < STALE_MS) return false

  const aside = `${path}.${uniqueName()}`
  try {
    renameSync(path, aside)
    // Somebody else may have taken over in between: that lock goes back, and its owner's check finds out if it cannot.
    if (readToken(aside) !== owner) renameSync(aside, path)
  } catch (error) {
    if (!isMissing(error) && !hasErrno(error, 'ENOTEMPTY') && !hasErrno(error, 'EEXIST')) throw error
  }
  rmSync(aside, { recursive: true, force: true })
  return true
}

/** Whether the token names a process of this machine that no longer runs; gstack's own tokens name none. */
function isGone(token: string | undefined): boolean {
  const owner = /^(\d+)@(\S+) /.exec(token ?? '')
  return owner?.[2] === hostname() && isProcessGone(Number(owner[1]))
}

function readToken(path: string): string | undefined {
  try {
    return readFileSync(ownerPath(path), 'utf8')
  } catch (error) {
    if (isMissing(error)) return undefined
    throw error
  }
}

const ownerPath = (path: string): string => join(path, 'owner')
