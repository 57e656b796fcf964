import { mkdirSync, symlinkSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { filesOf, readOutputFile, realPathOf } from '../../src/store/output-file.ts'
import { test } from '../helpers/world.ts'

const ANY_TIME = { sinceMs: 0, limitBytes: 1024 }

test('a text in UTF-8 or UTF-16 is read', ({ world }) => {
  const [utf8, utf16] = [join(world.home, 'a.md'), join(world.home, 'b.md')]
  writeFileSync(utf8, 'größe')
  writeFileSync(utf16, Buffer.from('\uFEFFgröße', 'utf16le'))

  expect(readOutputFile(utf8, ANY_TIME)).toEqual({ kind: 'text', text: 'größe' })
  expect(readOutputFile(utf16, ANY_TIME)).toEqual({ kind: 'text', text: 'größe' })
})

test('a file is unchanged up to the millisecond of the load', ({ world }) => {
  const file = join(world.home, 'a.md')
  writeFileSync(file, 'a')
  utimesSync(file, 1_000, 1_000)

  expect(readOutputFile(file, { ...ANY_TIME, sinceMs: 1_000_000 })).toEqual({ kind: 'unchanged' })
  expect(readOutputFile(file, { ...ANY_TIME, sinceMs: 999_999 })).toEqual({ kind: 'text', text: 'a' })
})

test('what is no text of a readable length is told apart', ({ world }) => {
  const [file, loop] = [join(world.home, 'a.md'), join(world.home, 'loop.md')]
  writeFileSync(file, 'a'.repeat(1025))
  symlinkSync(loop, loop)

  expect(readOutputFile(file, ANY_TIME)).toEqual({ kind: 'too-large', bytes: 1025 })
  expect(readOutputFile(world.home, ANY_TIME)).toEqual({ kind: 'not-a-file' })
  expect(readOutputFile(join(world.home, 'none.md'), ANY_TIME)).toEqual({ kind: 'missing' })
  expect(readOutputFile(join(file, 'below.md'), ANY_TIME)).toEqual({ kind: 'missing' })
  expect(readOutputFile(loop, ANY_TIME)).toEqual({ kind: 'unreadable', why: 'ELOOP' })
})

test('a path that does not exist is resolved as far as it does', ({ world }) => {
  mkdirSync(join(world.home, 'real'))
  symlinkSync(join(world.home, 'real'), join(world.home, 'link'))

  expect(realPathOf(join(world.home, 'link/new/plan.md'))).toBe(join(world.home, 'real/new/plan.md'))
})

test('the files of a missing folder are none', ({ world }) => {
  expect(filesOf(join(world.home, 'none'))).toEqual([])
})
