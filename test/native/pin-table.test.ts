import { mkdirSync, renameSync, statSync, symlinkSync, unlinkSync, writeFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { native } from '../../src/native/binding.ts'
import { changesAfter, makeSettled, pin, TRUSTED_MS } from './settled.ts'
import { codeOf, makeTree, waitMs } from './tree.ts'

describe('pinning', () => {
  test('names what stat data does not prove', async () => {
    const tree = makeSettled()
    tree.git('update-index', '--assume-unchanged', 'a')
    tree.git('update-index', '--skip-worktree', 'd-x')
    writeFileSync(tree.path('d/b'), 'bb\n')
    unlinkSync(tree.path('d/e/c'))

    expect(await pin(tree)).toMatchObject({ unsure: ['a', 'd-x', 'd/b'], missing: ['d/e/c'], odd: [] })
  })

  test('does not trust an entry that is as young as the index', async () => {
    const tree = makeSettled()
    const { mtimeNs } = statSync(tree.path('a'), { bigint: true })
    const take = async (indexMtimeNs: bigint) =>
      (await native().pinTable({ root: tree.root, index: tree.index(), indexMtimeNs })).unsure

    expect(await take(mtimeNs)).toContain('a')
    expect(await take(mtimeNs + 1n)).not.toContain('a')
  })

  test('hands back directories and unreachable paths as they are', async () => {
    const tree = makeSettled()
    unlinkSync(tree.path('a'))
    mkdirSync(tree.path('a'))
    renameSync(tree.path('d'), tree.path('moved'))
    symlinkSync('moved', tree.path('d'))

    expect((await pin(tree)).odd.map(({ path, kind }) => `${kind} ${path}`)).toEqual([
      'directory a',
      'unreachable d/b',
      'unreachable d/e/c',
    ])
  })

  test('leaves submodules alone', async () => {
    const tree = makeSettled()
    tree.git('update-index', '--add', '--cacheinfo', `160000,${'1'.repeat(40)},sub`)

    expect(await pin(tree)).toMatchObject({ unsure: [], missing: [], odd: [] })
    expect(await changesAfter(tree, () => mkdirSync(tree.path('sub')))).toEqual([])
  })

  test('takes one row for a path in conflict', async () => {
    const tree = makeSettled()
    const oid = tree.git('rev-parse', ':a').trim()
    tree.gitBytes(['update-index', '--index-info'], {
      input: `0 ${'0'.repeat(40)}\ta\n100644 ${oid} 2\ta\n100644 ${oid} 3\ta\n`,
    })

    const { table, unsure } = await pin(tree)

    expect(unsure).toEqual(['a'])
    expect(table.length).toBe(48 * (1 + 5))
  })
})

test('any number of threads gives the same rows, names beside folders included', async () => {
  const tree = makeTree()
  for (let i = 0; i < 3_000; i++)
    tree.write(`d${String(i % 7)}/e${String(i % 11)}${i % 2 === 0 ? '-x' : ''}/f${String(i)}`, '')
  for (const name of ['d1-a', 'd1.b', 'd10', 'd1/e1.c']) tree.write(name, '')
  tree.git('add', '.')
  const index = tree.index()
  const rows = async (threads: number) => {
    const { table, missing } = await pin(tree, threads)
    return { rows: table.subarray(48).toString('hex'), missing }
  }
  waitMs(TRUSTED_MS)

  expect(await rows(4)).toEqual(await rows(1))
  expect((await rows(3)).missing).toEqual([])
  expect(
    await native().scan({ root: tree.root, index, table: (await pin(tree, 1)).table, threads: 4 }),
  ).toEqual([])
})

test('a table is refused with another index, or cut', async () => {
  const tree = makeSettled()
  const { table } = await pin(tree)
  tree.write('new', '')
  const before = tree.index()
  tree.git('add', 'new')
  const scanWith = async (index: Buffer, bytes: Buffer) =>
    await native().scan({ root: tree.root, index, table: bytes })

  await expect(scanWith(tree.index(), table)).rejects.toMatchObject({ code: 'EBADTABLE' })
  await expect(scanWith(before, table.subarray(0, -1))).rejects.toMatchObject({ code: 'EBADTABLE' })
  await expect(scanWith(before, table)).resolves.toEqual([])
})

test('a table carried to another index keeps the rows of both, and reports the paths that joined', async () => {
  const tree = makeSettled()
  const { table } = await pin(tree)
  const before = tree.index()
  tree.write('joined', 'new\n')
  tree.git('add', 'joined')
  tree.git('rm', '-q', 'd-x')
  writeFileSync(tree.path('a'), 'changed\n')

  const carried = native().carryTable(table, before, tree.index())

  const changes = await native().scan({ root: tree.root, index: tree.index(), table: carried })
  expect(changes.map(({ path }) => path)).toEqual(['a', 'joined'])
  expect(codeOf(() => native().carryTable(table, tree.index(), before))).toBe('EBADTABLE')
})
