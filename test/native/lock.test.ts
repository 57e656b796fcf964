import { mkdirSync, renameSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { expect, test } from 'vitest'

import { native } from '../../src/native/binding.ts'
import { interrupt, runChild } from './child.ts'
import { codeOf, makeFolder } from './tree.ts'

const TAKE = `const lock = native.lockFile(given.path, { create: true }); console.log(lock === 'held' ? 'held' : 'taken')`

function take(path: string, create = true) {
  const lock = native().lockFile(path, { create })
  if (lock === 'held') throw new Error(`${path} is held`)
  return lock
}

test('a second process finds the lock held until it is released', () => {
  const path = join(makeFolder(), 'lock')
  const lock = take(path)

  const during = runChild({ path }, TAKE).stdout
  native().unlock(lock.fd)
  const after = runChild({ path }, TAKE).stdout

  expect([during, after]).toEqual(['held\n', 'taken\n'])
  expect(statSync(path).mode & 0o777).toBe(0o600)
})

test('a directory is locked without leaving a file', () => {
  const folder = makeFolder()
  const lock = take(folder, false)

  expect(native().lockFile(folder)).toBe('held')
  native().unlock(lock.fd)
  const again = take(folder, false)
  native().unlock(again.fd)
})

test('create makes no difference to a directory', () => {
  const folder = makeFolder()

  const lock = take(folder)

  expect(lock.ino).toBe(String(statSync(folder).ino))
  native().unlock(lock.fd)
})

test('a killed holder leaves no lock', async () => {
  const path = join(makeFolder(), 'lock')

  await interrupt(
    { path },
    `${TAKE}\n process.kill(process.pid, 'SIGSTOP')\n process.kill(process.pid, 'SIGKILL')`,
    () => {
      expect(native().lockFile(path)).toBe('held')
    },
  )

  expect(native().lockFile(path)).not.toBe('held')
})

test('a lock is not inherited by programs that the holder starts', () => {
  const path = join(makeFolder(), 'lock')

  const body = `${TAKE}
    require('node:child_process').spawn('sleep', ['5'], { detached: true, stdio: 'ignore' }).unref()
    process.exit()`
  runChild({ path }, body)

  expect(native().lockFile(path)).not.toBe('held')
})

test('a holder sees that its file was replaced', () => {
  const folder = makeFolder()
  const path = join(folder, 'lock')
  const lock = take(path)
  const before = native().lockHolds(lock.fd, path)
  writeFileSync(join(folder, 'other'), '')
  renameSync(join(folder, 'other'), path)

  expect([before, native().lockHolds(lock.fd, path)]).toEqual([true, false])
  native().unlock(lock.fd)
})

test('a link is no lock, a missing file is one only with create', () => {
  const folder = makeFolder()
  mkdirSync(join(folder, 'real'))
  symlinkSync('real', join(folder, 'link'))

  expect(codeOf(() => native().lockFile(join(folder, 'link'), { create: true }))).toBe('ELOOP')
  expect(codeOf(() => native().lockFile(join(folder, 'missing')))).toBe('ENOENT')
})
