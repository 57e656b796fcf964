import {
  chmodSync,
  linkSync,
  mkdirSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  unlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'

import { describe, expect, test } from 'vitest'

import { native } from '../../src/native/binding.ts'
import { at, codeOf, makeTree, waitMs, type Tree } from './tree.ts'

/** Longer than the 20 ms that a row has to be old to be trusted. */
const TRUSTED_MS = 60

function makeSettled() {
  const tree = makeTree()
  tree.write('a', 'aa\n')
  tree.write('d/b', 'bb\n')
  tree.write('d/e/c', 'cc\n')
  tree.write('d-x', 'dd\n')
  symlinkSync('a', tree.path('link'))
  tree.commit('first')
  waitMs(TRUSTED_MS)
  tree.settle()
  waitMs(TRUSTED_MS)
  return tree
}

const pin = (tree: Tree, threads?: number) =>
  native().pinTable({
    root: tree.root,
    index: tree.index(),
    indexMtimeNs: tree.indexMtimeNs(),
    ...(threads !== undefined && { threads }),
  })

/** Pins, changes, scans: path and kind of what differs. */
function changesAfter(tree: Tree, change: () => void) {
  const index = tree.index()
  const { table } = pin(tree)
  change()
  return native()
    .scan({ root: tree.root, index, table })
    .map(({ path, kind }) => `${kind} ${path}`)
}

test('a tree that git calls clean needs no hashing, and does not change by itself', () => {
  const tree = makeSettled()

  const pinned = pin(tree)

  expect(pinned).toMatchObject({ unsure: [], missing: [], odd: [] })
  expect(native().scan({ root: tree.root, index: tree.index(), table: pinned.table })).toEqual([])
})

describe('a change is seen', () => {
  const tree = () => makeSettled()
  const cases: readonly [string, (tree: Tree) => void, string[]][] = [
    ['another content', (t) => writeFileSync(t.path('d/b'), 'changed\n'), ['file d/b']],
    [
      'a same-size edit whose mtime was put back',
      (t) => {
        const { atime, mtime } = statSync(t.path('a'))
        writeFileSync(t.path('a'), 'zz\n')
        utimesSync(t.path('a'), atime, mtime)
      },
      ['file a'],
    ],
    ['a mode', (t) => chmodSync(t.path('a'), 0o755), ['file a']],
    [
      'a file put in its place with all times equal',
      (t) => {
        const { atime, mtime } = statSync(t.path('a'))
        writeFileSync(t.path('new'), 'zz\n')
        utimesSync(t.path('new'), atime, mtime)
        renameSync(t.path('new'), t.path('a'))
      },
      ['file a'],
    ],
    ['a removed file', (t) => unlinkSync(t.path('a')), ['absent a']],
    ['a removed folder', (t) => rmSync(t.path('d'), { recursive: true }), ['absent d/b', 'absent d/e/c']],
    [
      'a directory in a file\u2019s place',
      (t) => {
        unlinkSync(t.path('a'))
        mkdirSync(t.path('a'))
      },
      ['directory a'],
    ],
    [
      'a link in a file\u2019s place',
      (t) => {
        unlinkSync(t.path('a'))
        symlinkSync('d-x', t.path('a'))
      },
      ['link a'],
    ],
    [
      'a link that points elsewhere',
      (t) => {
        unlinkSync(t.path('link'))
        symlinkSync('b', t.path('link'))
      },
      ['link link'],
    ],
    [
      'a parent swapped for a link to the same files',
      (t) => {
        renameSync(t.path('d'), t.path('moved'))
        symlinkSync('moved', t.path('d'))
      },
      ['unreachable d/b', 'unreachable d/e/c'],
    ],
    [
      'a parent swapped for a file',
      (t) => {
        rmSync(t.path('d/e'), { recursive: true })
        writeFileSync(t.path('d/e'), '')
      },
      ['unreachable d/e/c'],
    ],
  ]

  test.each(cases)('%s', (_, change, expected) => {
    const settled = tree()

    expect(
      changesAfter(settled, () => {
        change(settled)
      }),
    ).toEqual(expected)
  })
})

test('untracked files and what happens in directories are no change', () => {
  const tree = makeSettled()

  const changes = changesAfter(tree, () => {
    tree.write('d/new', 'n\n')
    mkdirSync(tree.path('d/f'))
  })

  expect(changes).toEqual([])
})

describe('a row that was too young when it was taken', () => {
  test('is reported although nothing changed since, until it is pinned again', () => {
    const tree = makeSettled()
    writeFileSync(tree.path('a'), 'young\n')
    const index = tree.index()
    const { table } = pin(tree)
    const first = native().scan({ root: tree.root, index, table })
    waitMs(TRUSTED_MS)
    const patched = native().patchTable(table, index, [
      { path: at('a'), row: native().statRow(tree.root, at('a')).row },
    ])

    expect(first.map(({ path }) => path)).toEqual(['a'])
    expect(native().scan({ root: tree.root, index, table: patched })).toEqual([])
  })

  test('is one with a time in the future', () => {
    const tree = makeSettled()
    const future = new Date(Date.now() + 3_600_000)
    utimesSync(tree.path('a'), future, future)
    waitMs(TRUSTED_MS)

    expect(changesAfter(tree, () => undefined)).toEqual(['file a'])
  })
})

describe('pinning', () => {
  test('names what stat data does not prove', () => {
    const tree = makeSettled()
    tree.git('update-index', '--assume-unchanged', 'a')
    tree.git('update-index', '--skip-worktree', 'd-x')
    writeFileSync(tree.path('d/b'), 'bb\n')
    unlinkSync(tree.path('d/e/c'))

    expect(pin(tree)).toMatchObject({ unsure: ['a', 'd-x', 'd/b'], missing: ['d/e/c'], odd: [] })
  })

  test('does not trust an entry that is as young as the index', () => {
    const tree = makeSettled()
    const { mtimeNs } = statSync(tree.path('a'), { bigint: true })
    const take = (indexMtimeNs: bigint) =>
      native().pinTable({ root: tree.root, index: tree.index(), indexMtimeNs }).unsure

    expect(take(mtimeNs)).toContain('a')
    expect(take(mtimeNs + 1n)).not.toContain('a')
  })

  test('hands back directories and unreachable paths as they are', () => {
    const tree = makeSettled()
    unlinkSync(tree.path('a'))
    mkdirSync(tree.path('a'))
    renameSync(tree.path('d'), tree.path('moved'))
    symlinkSync('moved', tree.path('d'))

    expect(pin(tree).odd.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'directory a',
      'unreachable d/b',
      'unreachable d/e/c',
    ])
  })

  test('leaves submodules alone', () => {
    const tree = makeSettled()
    tree.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`)

    expect(pin(tree)).toMatchObject({ unsure: [], missing: [], odd: [] })
    expect(changesAfter(tree, () => mkdirSync(tree.path('sub')))).toEqual([])
  })

  test('takes one row for a path in conflict', () => {
    const tree = makeSettled()
    const oid = tree.git('rev-parse', ':a').trim()
    tree.gitBytes(['update-index', '--index-info'], {
      input: `0 ${'0'.repeat(40)}\ta\n100644 ${oid} 2\ta\n100644 ${oid} 3\ta\n`,
    })

    const { table, unsure } = pin(tree)

    expect(unsure).toEqual(['a'])
    expect(table.length).toBe(48 * (1 + 5))
  })
})

test('any number of threads gives the same rows, names beside folders included', () => {
  const tree = makeTree()
  for (let i = 0; i < 3_000; i++)
    tree.write(`d${String(i % 7)}/e${String(i % 11)}${i % 2 === 0 ? '-x' : ''}/f${String(i)}`, '')
  for (const name of ['d1-a', 'd1.b', 'd10', 'd1/e1.c']) tree.write(name, '')
  tree.git('add', '.')
  const index = tree.index()
  const rows = (threads: number) => {
    const { table, missing } = pin(tree, threads)
    return { rows: table.subarray(48).toString('hex'), missing }
  }
  waitMs(TRUSTED_MS)

  expect(rows(4)).toEqual(rows(1))
  expect(rows(3).missing).toEqual([])
  expect(native().scan({ root: tree.root, index, table: pin(tree, 1).table, threads: 4 })).toEqual([])
})

test('a table is refused with another index, or cut', () => {
  const tree = makeSettled()
  const { table } = pin(tree)
  tree.write('new', '')
  const before = tree.index()
  tree.git('add', 'new')
  const scanWith = (index: Buffer, bytes: Buffer) =>
    codeOf(() => native().scan({ root: tree.root, index, table: bytes }))

  expect(scanWith(tree.index(), table)).toBe('EBADTABLE')
  expect(scanWith(before, table.subarray(0, -1))).toBe('EBADTABLE')
  expect(scanWith(before, table)).toBeUndefined()
})

test('a table carried to another index keeps the rows of both, and reports the paths that joined', () => {
  const tree = makeSettled()
  const { table } = pin(tree)
  const before = tree.index()
  tree.write('joined', 'new\n')
  tree.git('add', 'joined')
  tree.git('rm', '-q', 'd-x')
  writeFileSync(tree.path('a'), 'changed\n')

  const carried = native().carryTable(table, before, tree.index())

  const changes = native().scan({ root: tree.root, index: tree.index(), table: carried })
  expect(changes.map(({ path }) => path)).toEqual(['a', 'joined'])
  expect(codeOf(() => native().carryTable(table, tree.index(), before))).toBe('EBADTABLE')
})

describe('statRow', () => {
  test('says what is there, following no link', () => {
    const tree = makeSettled()
    symlinkSync('d', tree.path('way'))
    linkSync(tree.path('a'), tree.path('a2'))
    const kind = (path: string) => native().statRow(tree.root, at(path)).kind

    expect(['a', 'link', 'd', 'nowhere', 'no/where', 'way/b', 'a/x'].map(kind)).toEqual([
      'file',
      'link',
      'directory',
      'absent',
      'absent',
      'unreachable',
      'unreachable',
    ])
    const { mtimeNs, ino } = statSync(tree.path('a'), { bigint: true })
    expect(native().statRow(tree.root, at('a'))).toMatchObject({
      size: 3,
      nlink: 2,
      mtimeNs,
      ino: String(ino),
    })
  })

  test.each(['', '/a', 'a//b', '../a', 'd/../a', 'd/.', '.git/config', 'd/.GIT/x', 'a\0b'])(
    'refuses the path %j',
    (path) => {
      const tree = makeSettled()

      expect(codeOf(() => native().statRow(tree.root, at(path)))).toBe('EINVAL')
    },
  )
})
