import { mkdirSync } from 'node:fs'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Deadline } from '../core/deadline.ts'
import { GateError } from '../core/errors.ts'
import { native } from '../native/binding.ts'

const WAIT_MS = 3_000
const POLL_MS = 5

export interface KernelLock {
  /** @throws GateError GATE_LOCKED when the lock file is no longer the one that was locked */
  checkStillHeld(): void
  release(): void
}

/** The lock of one session's record; held only while it is read, changed and written. */
export async function lockSession(sessionDir: string, deadline: Deadline): Promise<KernelLock> {
  mkdirSync(sessionDir, { recursive: true, mode: 0o700 })
  return await waitForLock(path.join(sessionDir, 'lock'), { create: true }, deadline)
}

/** The lock of work on a repository, on its common directory itself: it leaves no file and holds across state roots. */
export async function lockTree(commonDir: string, deadline: Deadline): Promise<KernelLock> {
  return await waitForLock(commonDir, { create: false }, deadline)
}

/**
 * A kernel lock: a killed holder leaves none.
 *
 * @throws GateError GATE_LOCKED when it stays held for 3 seconds or the deadline's rest
 */
async function waitForLock(file: string, options: { create: boolean }, deadline: Deadline): Promise<KernelLock> {
  const giveUpAtMs = performance.now() + Math.min(WAIT_MS, Math.max(0, deadline.remaining() - 100))
  for (;;) {
    const lock = native().lockFile(file, options)
    if (lock !== 'held') return heldLock(lock.fd, file)
    if (performance.now() >= giveUpAtMs)
      throw new GateError('GATE_LOCKED', `another hook held the lock for over 3 s: ${file}`)
    await sleep(POLL_MS)
  }
}

function heldLock(fd: number, file: string): KernelLock {
  let isHeld = true
  return {
    checkStillHeld() {
      if (isHeld && native().lockHolds(fd, file)) return
      throw new GateError('GATE_LOCKED', `the lock was taken over: ${file}`)
    },
    release() {
      if (isHeld) native().unlock(fd)
      isHeld = false
    },
  }
}
