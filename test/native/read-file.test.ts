import { once } from 'node:events'
import { mkdirSync, symlinkSync } from 'node:fs'
import { createServer } from 'node:net'

import { expect, test } from 'vitest'

import { native } from '../../src/native/binding.ts'
import { at, codeOf, makeTree, waitMs } from './tree.ts'

function makeKinds() {
  const tree = makeTree()
  tree.write('file', Buffer.from([0, 0xff, 0x0a]), 0o755)
  tree.write('empty', '')
  mkdirSync(tree.path('folder'))
  symlinkSync('a target that may be missing', tree.path('link'))
  symlinkSync('folder', tree.path('way'))
  return tree
}

test('a file is its bytes, mode, links and row', () => {
  const tree = makeKinds()
  waitMs(60)

  const content = native().readFileAt(tree.root, at('file'))

  expect(content).toMatchObject({
    kind: 'file',
    bytes: Buffer.from([0, 0xff, 0x0a]),
    mode: 0o100755,
    nlink: 1,
  })
  expect(content?.row).toEqual(native().statRow(tree.root, at('file')).row)
})

test('a link is its target, not what it points to', () => {
  const tree = makeKinds()

  expect(native().readFileAt(tree.root, at('link'))).toMatchObject({
    kind: 'link',
    target: Buffer.from('a target that may be missing'),
  })
})

test('an empty file has no bytes, an absent one is undefined', () => {
  const tree = makeKinds()

  expect(native().readFileAt(tree.root, at('empty'))).toMatchObject({ bytes: Buffer.alloc(0) })
  expect(native().readFileAt(tree.root, at('nothing'))).toBeUndefined()
  expect(native().readFileAt(tree.root, at('no/thing'))).toBeUndefined()
})

test.each([
  ['folder', 'EISDIR'],
  ['way/x', 'ENOTDIR'],
  ['file/x', 'ENOTDIR'],
])('%s is %s', (path, code) => {
  const tree = makeKinds()

  expect(codeOf(() => native().readFileAt(tree.root, at(path)))).toBe(code)
})

test('a socket is ENOTREG', async () => {
  const tree = makeKinds()
  const server = createServer().listen(tree.path('socket'))
  await once(server, 'listening')

  expect(codeOf(() => native().readFileAt(tree.root, at('socket')))).toBe('ENOTREG')
  server.close()
})

test('an error names its code, its step and its path', () => {
  const tree = makeKinds()

  expect(() => native().readFileAt(tree.root, at('folder'))).toThrow(
    expect.objectContaining({ code: 'EISDIR', syscall: 'fstatat', path: 'folder' }),
  )
})

test('a birth time is there for files of the machine, and none for nothing', () => {
  const before = Date.now() - 2_000
  const tree = makeKinds()

  expect(native().birthTimeMs(tree.path('file'))).toBeGreaterThan(before)
  expect(native().birthTimeMs(tree.path('nothing'))).toBeUndefined()
})
