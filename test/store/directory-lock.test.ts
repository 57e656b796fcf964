import { spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, readdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { withDirectoryLock } from '../../src/store/directory-lock.ts'
import { temporaryDir } from '../helpers/temporary-dir.ts'

const lockWith = (path: string, token: string) => {
  mkdirSync(path)
  writeFileSync(join(path, 'owner'), token)
}

test('work under the lock never overlaps, and nothing is left', async () => {
  const dir = temporaryDir()
  let running = 0
  const most: number[] = []

  await Promise.all(
    Array.from({ length: 5 }, () =>
      withDirectoryLock(join(dir, 'lock'), async () => {
        most.push(++running)
        await new Promise((resolve) => setTimeout(resolve, 5))
        running--
      }),
    ),
  )

  expect(most).toEqual([1, 1, 1, 1, 1])
  expect(readdirSync(dir)).toEqual([])
})

test('the lock is released when the work throws', async () => {
  const dir = temporaryDir()

  await expect(withDirectoryLock(join(dir, 'lock'), () => Promise.reject(new Error('no')))).rejects.toThrow(
    'no',
  )

  expect(readdirSync(dir)).toEqual([])
})

test('the lock of a process that is gone is taken over at once', async () => {
  const path = join(temporaryDir(), 'lock')
  const { pid } = spawnSync('true')
  lockWith(path, `${String(pid)}@${hostname()} left`)
  const startedMs = performance.now()

  await withDirectoryLock(path, async () => undefined)

  expect(performance.now() - startedMs).toBeLessThan(1_000)
})

test('a lock of another tool is taken over after 30 seconds', async () => {
  const path = join(temporaryDir(), 'lock')
  lockWith(path, 'token of another tool')
  const old = Date.now() / 1_000 - 31
  utimesSync(path, old, old)

  expect(await withDirectoryLock(path, async () => 'done')).toBe('done')
})

test('a holder whose lock was taken over finds out before it writes', async () => {
  const path = join(temporaryDir(), 'lock')

  const work = withDirectoryLock(path, async (lock) => {
    rmSync(path, { recursive: true })
    lockWith(path, 'somebody else')
    lock.check()
  })

  await expect(work).rejects.toMatchObject({ code: 'GATE_LOCKED' })
  expect(readFileSync(join(path, 'owner'), 'utf8')).toBe('somebody else')
})

test('a lock that stays held is an error after 10 seconds', { timeout: 15_000 }, async () => {
  const path = join(temporaryDir(), 'lock')
  lockWith(path, 'token of another tool')

  await expect(withDirectoryLock(path, async () => undefined)).rejects.toMatchObject({ code: 'GATE_LOCKED' })
})
