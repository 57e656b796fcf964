import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { asOid, type Oid } from '../../src/core/ids.ts'
import { native } from '../../src/native/binding.ts'
import { openGit } from './git.ts'
import { at, codeOf, makeTree, type Tree } from './tree.ts'

const LONG_MS = 60_000

const blobOf = (text: string) => native().hashBlob(Buffer.from(text))

const find = (tree: Tree, tips: readonly string[], path: string, oid: Oid, budgetMs = LONG_MS) =>
  native().findBlob(openGit(tree), { tips: tips.map(asOid), path: at(path), oid, budgetMs })

/** A line of commits, each a minute after the last, that write `v<n>` to `d/e/file`. */
function makeLine(commits: number) {
  const tree = makeTree()
  const ids = Array.from({ length: commits }, (_, i) => {
    tree.write('d/e/file', `v${String(i)}\n`)
    return tree.commit(`commit ${String(i)}`, 1_700_000_000 + 60 * i)
  })
  return { tree, ids, tip: ids.at(-1) ?? '' }
}

describe('a blob at a path is found', () => {
  test('in the newest commit that holds it, as git log says', () => {
    const { tree, ids, tip } = makeLine(6)
    tree.write('other', 'unrelated\n')
    const last = tree.commit('unrelated', 1_700_001_000)

    for (const i of [0, 3, 4])
      expect(find(tree, [tip], 'd/e/file', blobOf(`v${String(i)}\n`)).found).toBe(ids[i])
    expect(find(tree, [last], 'd/e/file', blobOf('v5\n')).found).toBe(last)
  })

  test('on a side branch of a merge, in packs as well', () => {
    const { tree } = makeLine(2)
    tree.git('checkout', '-q', '-b', 'side', 'HEAD~1')
    tree.write('side', 'only here\n')
    const side = tree.commit('side', 1_700_000_030)
    tree.write('side', 'then this\n')
    tree.commit('side again', 1_700_000_040)
    tree.git('checkout', '-q', 'main')
    tree.git('merge', '-q', '--no-edit', 'side')
    tree.git('gc', '-q')

    const result = find(tree, [tree.git('rev-parse', 'HEAD').trim()], 'side', blobOf('only here\n'))

    expect(result).toMatchObject({ found: side, complete: true, missing: false })
  })

  test('from any of several tips', () => {
    const { tree, ids } = makeLine(2)
    tree.git('checkout', '-q', '--orphan', 'orphan')
    tree.write('d/e/file', 'orphan\n')
    const orphan = tree.commit('orphan')

    expect(find(tree, [ids[1] ?? '', orphan], 'd/e/file', blobOf('orphan\n')).found).toBe(orphan)
  })
})

describe('a blob is not found', () => {
  test('at another path, and every commit was looked at', () => {
    const { tree, tip } = makeLine(5)

    expect(find(tree, [tip], 'd/file', blobOf('v1\n'))).toEqual({
      found: undefined,
      complete: true,
      missing: false,
      visited: 5,
    })
    expect(find(tree, [tip], 'd/e/file/x', blobOf('v1\n')).found).toBeUndefined()
    expect(find(tree, [tip], 'd', blobOf('v1\n')).found).toBeUndefined()
  })

  test('within no time, which is said', () => {
    const { tree, tip } = makeLine(2)

    expect(find(tree, [tip], 'd/e/file', blobOf('v0\n'), 0)).toMatchObject({
      found: undefined,
      complete: false,
    })
  })

  test('beyond the edge of a shallow clone, which is said', () => {
    const { tree } = makeLine(4)
    const clone = makeTree()
    clone.git('fetch', '-q', '--depth', '2', `file://${tree.root}`, 'main')
    const tip = clone.git('rev-parse', 'FETCH_HEAD').trim()

    expect(find(clone, [tip], 'd/e/file', blobOf('v0\n'))).toEqual({
      found: undefined,
      complete: true,
      missing: true,
      visited: 2,
    })
  })

  test('from tips that are no commits', () => {
    const { tree } = makeLine(1)
    const tips = [tree.git('rev-parse', 'HEAD^{tree}').trim(), '1'.repeat(40)]

    expect(find(tree, tips, 'd/e/file', blobOf('v0\n'))).toMatchObject({ found: undefined, visited: 0 })
  })
})

test('a folder that is its own grandchild by id is told apart by level', () => {
  const tree = makeTree()
  const mktree = (input: string) => tree.gitBytes(['mktree'], { input }).toString().trim()
  const blob = tree.gitBytes(['hash-object', '-w', '--stdin'], { input: 'x\n' }).toString().trim()
  const inner = mktree(`100644 blob ${blob}\tx\n`)
  const middle = mktree(`040000 tree ${inner}\tx\n`)
  const outer = mktree(`040000 tree ${middle}\tx\n`)
  const both = [
    'commit-tree',
    '-m',
    'c',
    outer,
    '-p',
    tree.gitBytes(['commit-tree', '-m', 'p', inner]).toString().trim(),
  ]
  const tip = tree.gitBytes(both).toString().trim()

  expect(find(tree, [tip], 'x/x/x', asOid(blob))).toMatchObject({ found: tip })
})

describe('changes of a path are found', () => {
  const change = (from: string | undefined, to: string | undefined) => ({
    from: from === undefined ? undefined : blobOf(from),
    to: to === undefined ? undefined : blobOf(to),
  })
  const changes = (
    tree: Tree,
    limits: { mostCommits?: number; mostChanges?: number; budgetMs?: number } = {},
  ) =>
    native().findChanges(openGit(tree), {
      tips: [asOid(tree.git('rev-parse', 'HEAD').trim())],
      path: at('d/e/file'),
      mostCommits: 100,
      mostChanges: 100,
      budgetMs: LONG_MS,
      ...limits,
    })

  test('the newest first, each once, other commits passed over', () => {
    const { tree } = makeLine(3)
    for (const [i, text] of ['v1\n', 'v2\n'].entries()) {
      tree.write('d/e/file', text)
      tree.commit('again', 1_700_000_500 + i)
    }
    tree.write('other', 'unrelated\n')
    tree.commit('unrelated', 1_700_001_000)

    expect(changes(tree)).toEqual([change('v1\n', 'v2\n'), change('v2\n', 'v1\n'), change('v0\n', 'v1\n')])
  })

  test('a deletion and a new file as well', () => {
    const { tree } = makeLine(1)
    tree.git('rm', '-q', 'd/e/file')
    tree.write('other', 'unrelated\n')
    tree.commit('gone', 1_700_000_500)
    tree.write('d/e/file', 'back\n')
    tree.commit('back', 1_700_001_000)

    expect(changes(tree)).toEqual([change(undefined, 'back\n'), change('v0\n', undefined)])
  })

  test('within the limits', () => {
    const { tree } = makeLine(4)

    expect(changes(tree, { mostCommits: 2 })).toHaveLength(2)
    expect(changes(tree, { mostChanges: 1 })).toEqual([change('v2\n', 'v3\n')])
    expect(changes(tree, { budgetMs: 0 })).toEqual([])
  })

  test('up to the edge of a shallow clone', () => {
    const { tree } = makeLine(3)
    const clone = makeTree()
    clone.git('fetch', '-q', '--depth', '2', `file://${tree.root}`, 'main')
    clone.git('update-ref', 'HEAD', 'FETCH_HEAD')

    expect(changes(clone)).toEqual([change('v1\n', 'v2\n')])
  })
})

describe('commits of one author and second are found', () => {
  const sameAuthor = (tree: Tree, like: string, tips: readonly string[], most = 10) =>
    native().findSameAuthor(openGit(tree), {
      tips: tips.map(asOid),
      like: asOid(like),
      most,
      budgetMs: LONG_MS,
    })

  test('from any tip, but for the commit itself', () => {
    const { tree, ids, tip } = makeLine(3)
    tree.write('other', 'picked\n')
    const picked = tree.commit('picked', 1_700_000_060)
    tree.git('checkout', '-q', '-b', 'side', 'HEAD~2')
    tree.write('other', 'again\n')
    const again = tree.commit('again', 1_700_000_060)

    expect(sameAuthor(tree, picked, [tip, again]).sort()).toEqual([ids[1], again].sort())
    expect(sameAuthor(tree, picked, [tip, again], 1)).toHaveLength(1)
    expect(sameAuthor(tree, again, [tip])).toEqual([ids[1]])
    expect(sameAuthor(tree, tip, [tip, again])).toEqual([])
  })

  test('not for a commit that is missing, which is said', () => {
    const { tree, tip } = makeLine(1)

    expect(codeOf(() => sameAuthor(tree, '1'.repeat(40), [tip]))).toBe('ENOENT')
  })
})

test('a commit\u2019s entry has an id and a mode, a folder is none', () => {
  const { tree, tip } = makeLine(1)
  const git = openGit(tree)

  expect(native().blobAt(git, asOid(tip), at('d/e/file'))).toEqual({ oid: blobOf('v0\n'), mode: 0o100644 })
  expect(native().blobAt(git, asOid(tip), at('d/e'))).toBeUndefined()
  expect(native().blobAt(git, asOid(tip), at('d/e/file/x'))).toBeUndefined()
  expect(codeOf(() => native().blobAt(git, asOid('1'.repeat(40)), at('d')))).toBe('ENOENT')
})

test('a blob is read as bytes; what is no blob is undefined', () => {
  const { tree, tip } = makeLine(1)
  const git = openGit(tree)

  expect(native().readBlob(git, blobOf('v0\n'))).toEqual(Buffer.from('v0\n'))
  expect(native().readBlob(git, asOid(tip))).toBeUndefined()
  expect(native().readBlob(git, asOid('1'.repeat(40)))).toBeUndefined()
})

test('an object has a file of its own until it is packed', () => {
  const { tree } = makeLine(2)
  const loose = native().objectInfo(openGit(tree), blobOf('v0\n'))
  tree.git('gc', '-q')
  mkdirSync(join(tree.keep, 'x'))
  const git = openGit(tree)

  expect(loose).toEqual({ exists: true, loosePath: expect.stringContaining('/objects/') as string })
  expect(existsSync(loose.loosePath ?? '')).toBe(false)
  expect(native().objectInfo(git, blobOf('v0\n'))).toEqual({ exists: true, loosePath: undefined })
  expect(native().objectInfo(git, blobOf('nowhere\n'))).toEqual({ exists: false, loosePath: undefined })
})
