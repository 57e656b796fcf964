import {
  chmodSync,
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
import { changesAfter, makeSettled, pin, TRUSTED_MS } from './settled.ts'
import { at, waitMs, type Tree } from './tree.ts'

test('a tree that git calls clean needs no hashing, and does not change by itself', async () => {
  const tree = makeSettled()

  const pinned = await pin(tree)

  expect(pinned).toMatchObject({ unsure: [], missing: [], odd: [] })
  expect(await native().scan({ root: tree.root, index: tree.index(), table: pinned.table })).toEqual([])
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

  test.each(cases)('%s', async (_, change, expected) => {
    const settled = tree()

    const changes = await changesAfter(settled, () => {
      change(settled)
    })

    expect(changes).toEqual(expected)
  })
})

test('untracked files and what happens in directories are no change', async () => {
  const tree = makeSettled()

  const changes = await changesAfter(tree, () => {
    tree.write('d/new', 'n\n')
    mkdirSync(tree.path('d/f'))
  })

  expect(changes).toEqual([])
})

describe('a row that was too young when it was taken', () => {
  test('is reported although nothing changed since, until it is pinned again', async () => {
    const tree = makeSettled()
    writeFileSync(tree.path('a'), 'young\n')
    const index = tree.index()
    const { table } = await pin(tree)
    const first = await native().scan({ root: tree.root, index, table })
    waitMs(TRUSTED_MS)
    const patch = native().encodePatch(table, index, [
      { path: at('a'), row: native().statRow(tree.root, at('a')).row },
    ])
    native().applyPatch(table, patch)

    expect(first.map(({ path }) => path)).toEqual(['a'])
    expect(await native().scan({ root: tree.root, index, table })).toEqual([])
  })

  test('is one with a time in the future', async () => {
    const tree = makeSettled()
    const future = new Date(Date.now() + 3_600_000)
    utimesSync(tree.path('a'), future, future)
    waitMs(TRUSTED_MS)

    expect(await changesAfter(tree, () => undefined)).toEqual(['file a'])
  })
})
