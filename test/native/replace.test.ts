import {
  chmodSync,
  linkSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  writeFileSync,
} from 'node:fs'
import { constants } from 'node:os'
import { join } from 'node:path'

import { describe, expect, onTestFinished, test } from 'vitest'

import { native } from '../../src/native/binding.ts'
import type { Replacement } from '../../src/native/types.ts'
import { kept, listing, makeDirty, replace } from './replacing.ts'
import { at, codeOf, makeFolder, type Tree } from './tree.ts'

describe('putting a file back', () => {
  test('gives the path the new bytes and mode, and keeps the displaced file itself', () => {
    const tree = makeDirty()
    const { ino } = statSync(tree.path('d/b'))

    const result = replace(tree, 'd/b', { mode: 0o755 })

    expect(result).toMatchObject({
      created: false,
      kept: 'inode',
      keptKind: 'file',
      nlink: 1,
      linkTarget: undefined,
    })
    expect(tree.read('d/b')).toBe('baseline\n')
    expect(statSync(tree.path('d/b')).mode & 0o7777).toBe(0o755)
    expect(statSync(join(tree.keep, 'displaced')).ino).toBe(ino)
    expect(kept(tree)).toBe('edited\n')
    expect(listing(tree)).toEqual(['a', 'd', 'd/b'])
  })

  test('hands back the row of the new file', () => {
    const tree = makeDirty()

    const { row } = replace(tree, 'a')

    const flagsOffset = 46
    expect(row.subarray(0, flagsOffset)).toEqual(
      native().statRow(tree.root, at('a')).row.subarray(0, flagsOffset),
    )
  })

  test('copies from a file', () => {
    const tree = makeDirty()
    const source = join(tree.keep, 'raw')
    writeFileSync(source, Buffer.alloc(600_000, 'raw\xff', 'latin1'))

    replace(tree, 'a', { content: { source } })

    expect(readFileSync(tree.path('a'))).toEqual(readFileSync(source))
  })

  test('makes a missing file with its missing folders', () => {
    const tree = makeDirty()

    const result = replace(tree, 'x/y/z', { createParents: true })

    expect(result).toMatchObject({ created: true, kept: undefined, keptKind: undefined })
    expect(tree.read('x/y/z')).toBe('baseline\n')
    expect(readdirSync(tree.keep)).toEqual([])
  })

  test.each([
    ['file', 0o666],
    ['executable', 0o777],
  ] as const)('gives a new %s the mode of a checkout under the umask', (mode, bits) => {
    const umask = process.umask(0o027)
    onTestFinished(() => {
      process.umask(umask)
    })
    const tree = makeDirty()

    replace(tree, 'new', { mode })

    expect(statSync(tree.path('new')).mode & 0o777).toBe(bits & ~0o027)
  })

  test('carries the attributes of the old file over', () => {
    const tree = makeDirty()
    const before = statSync(tree.path('a'))

    replace(tree, 'a', { mode: before.mode & 0o7777 })

    expect(statSync(tree.path('a'))).toMatchObject({ uid: before.uid, gid: before.gid, mode: before.mode })
  })

  test('keeps a byte copy as well where the file had another hard link', () => {
    const tree = makeDirty()
    linkSync(tree.path('a'), tree.path('other'))

    const result = replace(tree, 'a')
    writeFileSync(tree.path('other'), 'written through the other name\n')

    expect(result.nlink).toBe(2)
    expect(kept(tree)).toBe('written through the other name\n')
    expect(readFileSync(join(tree.keep, 'displaced.copy'), 'utf8')).toBe('edited\n')
    expect(tree.read('a')).toBe('baseline\n')
  })

  test('takes names that are not UTF-8', () => {
    const tree = makeDirty()
    const name = 'caf\xe9'

    replace(tree, name)

    expect(readdirSync(tree.root, 'buffer').map((each) => each.toString('latin1'))).toContain(name)
  })
})

describe('links', () => {
  test('a link in the file\u2019s place is replaced, its target untouched, its target noted', () => {
    const tree = makeDirty()
    const outside = join(makeFolder(), 'precious')
    writeFileSync(outside, 'precious\n')
    unlinkSync(tree.path('a'))
    symlinkSync(outside, tree.path('a'))

    const result = replace(tree, 'a')

    expect(result).toMatchObject({ kept: 'inode', keptKind: 'link', linkTarget: Buffer.from(outside) })
    expect(readFileSync(outside, 'utf8')).toBe('precious\n')
    expect(lstatSync(tree.path('a')).isFile()).toBe(true)
    expect(readlinkSync(join(tree.keep, 'displaced'))).toBe(outside)
  })

  test('a link is put back', () => {
    const tree = makeDirty()

    replace(tree, 'a', { content: { link: Buffer.from('d/b') } })

    expect(readlinkSync(tree.path('a'))).toBe('d/b')
    expect(kept(tree)).toBe('edited\n')
  })

  test('a parent that is a link is refused, and nothing outside is written', () => {
    const tree = makeDirty()
    const outside = makeFolder()
    writeFileSync(join(outside, 'b'), 'outside\n')
    rmSync(tree.path('d'), { recursive: true })
    symlinkSync(outside, tree.path('d'))

    expect(codeOf(() => replace(tree, 'd/b', { createParents: true }))).toBe('ENOTDIR')
    expect(readFileSync(join(outside, 'b'), 'utf8')).toBe('outside\n')
    expect(readdirSync(outside)).toEqual(['b'])
  })

  test('a source that is a link is refused', () => {
    const tree = makeDirty()
    symlinkSync(tree.path('d/b'), join(tree.keep, 'raw'))

    expect(codeOf(() => replace(tree, 'a', { content: { source: join(tree.keep, 'raw') } }))).toBe('ELOOP')
    expect(listing(tree)).toEqual(['a', 'd', 'd/b'])
  })
})

describe('what cannot be put back leaves everything as it was', () => {
  const failures: readonly [string, string, (tree: Tree) => Partial<Replacement>, string][] = [
    [
      'a directory in its place',
      'EISDIR',
      (tree) => {
        unlinkSync(tree.path('a'))
        mkdirSync(tree.path('a'))
        return {}
      },
      'a',
    ],
    ['a missing parent', 'ENOENT', () => ({}), 'no/where'],
    ['a parent that is a file', 'ENOTDIR', () => ({}), 'a/b'],
    [
      'a name that is taken',
      'EEXIST',
      (tree) => {
        tree.write('.taken', '')
        return { tempName: '.taken' }
      },
      'a',
    ],
    [
      'a place to keep that is taken',
      'EEXIST',
      (tree) => {
        writeFileSync(join(tree.keep, 'displaced'), 'older copy')
        return {}
      },
      'a',
    ],
    ['no place to keep', 'ENOENT', (tree) => ({ keepPath: join(tree.keep, 'no/where') }), 'a'],
    ['a missing source', 'ENOENT', (tree) => ({ content: { source: join(tree.keep, 'nothing') } }), 'a'],
    ['a name that leaves the folder', 'EINVAL', () => ({ tempName: '../x' }), 'a'],
    [
      'another file than the expected one',
      'ESTALE',
      (tree) => {
        const { row } = native().statRow(tree.root, at('a'))
        writeFileSync(tree.path('a'), 'written since\n')
        return { expect: row }
      },
      'a',
    ],
    [
      'a file where none was expected',
      'ESTALE',
      (tree) => ({ expect: native().statRow(tree.root, at('absent')).row }),
      'a',
    ],
    [
      'made folders when a later one fails',
      'ENOENT',
      (tree) => ({ createParents: true, content: { source: join(tree.keep, 'nothing') } }),
      'x/y/z',
    ],
  ]

  test.each(failures)('%s: %s', (_, code, arrange, path) => {
    const tree = makeDirty()
    const more = arrange(tree)
    const files = () =>
      listing(tree).map((name) => (statSync(tree.path(name)).isFile() ? `${name}=${tree.read(name)}` : name))
    const before = { tree: files(), keep: readdirSync(tree.keep) }

    expect(codeOf(() => replace(tree, path, more))).toBe(code)
    expect({ tree: files(), keep: readdirSync(tree.keep) }).toEqual(before)
  })

  test.runIf(process.getuid?.() !== 0)('a folder that may not be written: EACCES', () => {
    const tree = makeDirty()
    chmodSync(tree.path('d'), 0o555)
    const code = codeOf(() => replace(tree, 'd/b'))
    chmodSync(tree.path('d'), 0o755)

    expect(code).toBe('EACCES')
    expect(tree.read('d/b')).toBe('edited\n')
  })

  test('a step that fails after the exchange is exchanged back', () => {
    const tree = makeDirty()
    native().atStep('keep-rename', constants.errno.ENOSPC)

    expect(codeOf(() => replace(tree, 'a'))).toBe('ENOSPC')
    expect(tree.read('a')).toBe('edited\n')
    expect(listing(tree)).toEqual(['a', 'd', 'd/b'])
    expect(readdirSync(tree.keep)).toEqual([])
  })
})
