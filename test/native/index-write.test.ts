import { existsSync, linkSync, readdirSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import type { IndexEntry } from '../../src/core/baseline.ts'
import { asOid } from '../../src/core/ids.ts'
import { native } from '../../src/native/binding.ts'
import type { IndexChange } from '../../src/native/types.ts'
import { at, codeOf, makeTree, type Tree } from './tree.ts'

const entry = (path: string, oid: string, more: Partial<IndexEntry> = {}): IndexEntry => ({
  path: at(path),
  stage: 0,
  mode: 0o100644,
  oid: asOid(oid),
  assumeValid: false,
  skipWorktree: false,
  intentToAdd: false,
  ...more,
})

const blobOf = (tree: Tree, text: string) =>
  tree.gitBytes(['hash-object', '-w', '--stdin'], { input: text }).toString().trim()

const changeOf = (tree: Tree, change: Partial<IndexChange>): IndexChange => ({
  indexPath: tree.indexPath,
  tempPath: join(tree.gitDir, 'gates-new-index'),
  index: tree.index(),
  set: [],
  remove: [],
  ...change,
})

function write(tree: Tree, change: Partial<IndexChange>) {
  const whole = changeOf(tree, change)
  native().prepareIndex(whole)
  return native().commitIndex(whole)
}

function makeCommitted() {
  const tree = makeTree()
  tree.write('a', 'a\n')
  tree.write('d/b', 'b\n')
  tree.write('d/c', 'c\n', 0o755)
  tree.commit('first')
  return tree
}

describe.each([2, 3, 4])('an index of version %i', (version) => {
  test('gets entries replaced, added and removed as git reads them', () => {
    const tree = makeCommitted()
    tree.git('update-index', '--index-version', String(version))
    const before = native().parseIndex(tree.index()).version
    const blob = blobOf(tree, 'other\n')

    const result = write(tree, {
      set: [entry('d/b', blob), entry('d/bb', blob, { mode: 0o100755 })],
      remove: [at('a')],
    })

    expect(result).toBe('written')
    expect(tree.git('ls-files', '-s').split('\n')).toEqual([
      `100644 ${blob} 0\td/b`,
      `100755 ${blob} 0\td/bb`,
      `100755 ${blobOf(tree, 'c\n')} 0\td/c`,
      '',
    ])
    expect(native().parseIndex(tree.index()).version).toBe(before)
    expect(tree.git('fsck', '--strict')).toBe('')
    expect(readdirSync(tree.gitDir).filter((name) => /lock|gates/.test(name))).toEqual([])
  })
})

test('flags that version 2 cannot say make it version 3', () => {
  const tree = makeCommitted()

  write(tree, { set: [entry('d/b', blobOf(tree, 'b\n'), { skipWorktree: true })] })

  expect(native().parseIndex(tree.index()).version).toBe(3)
  expect(tree.git('ls-files', '-t', 'd/b')).toBe('S d/b\n')
})

test('conflict stages are put, and go with their path', () => {
  const tree = makeCommitted()
  const stages = ([1, 2, 3] as const).map((stage) => entry('a', blobOf(tree, String(stage)), { stage }))

  write(tree, { set: stages, remove: [at('a')] })
  const conflicted = tree.git('status', '--short', 'a')
  write(tree, { set: [entry('a', blobOf(tree, 'a\n'))], remove: [at('a')] })

  expect(conflicted).toBe('UU a\n')
  expect(tree.git('status', '--short')).toBe('')
})

test('a put entry is compared by content, a kept one still by its stat data', () => {
  const tree = makeCommitted()
  tree.settle()

  write(tree, { set: [entry('a', blobOf(tree, 'a\n'))] })

  expect(tree.git('ls-files', '--debug', 'a')).toContain('mtime: 0:0')
  expect(tree.git('ls-files', '--debug', 'd/b')).not.toContain('mtime: 0:0')
  expect(tree.git('status', '--short')).toBe('')
})

test('an edit that was racy under the old index is still seen by git', () => {
  const tree = makeCommitted()
  tree.git('config', 'core.trustctime', 'false')
  const [beforeS, editS] = [Date.now() / 1_000 - 3_600, Date.now() / 1_000 - 1_800]
  utimesSync(tree.path('a'), editS, editS)
  tree.git('add', 'a')
  writeFileSync(tree.path('a'), 'y\n')
  utimesSync(tree.path('a'), editS, editS)
  utimesSync(tree.indexPath, beforeS, beforeS)

  write(tree, { set: [entry('d/b', blobOf(tree, 'b\n'))] })

  expect(tree.git('status', '--short', 'a')).toBe(' M a\n')
})

test('resolve-undo data stays, caches of the old entries go', () => {
  const tree = makeCommitted()
  tree.git('checkout', '-q', '-b', 'other')
  tree.write('a', 'theirs\n')
  tree.commit('theirs')
  tree.git('checkout', '-q', 'main')
  tree.write('a', 'ours\n')
  tree.commit('ours')
  expect(() => tree.git('merge', '-q', 'other')).toThrow()
  tree.write('a', 'both\n')
  tree.git('add', 'a')
  tree.git('update-index', '--force-untracked-cache')

  write(tree, { set: [entry('d/b', blobOf(tree, 'b\n'))] })

  expect(native().parseIndex(tree.index()).extensions).toEqual(['REUC'])
})

test('the new index keeps the mode of the old one', () => {
  const tree = makeCommitted()
  tree.git('config', 'core.sharedRepository', 'group')
  tree.write('n', 'n\n')
  tree.git('add', 'n')
  const { mode } = statSync(tree.indexPath)

  write(tree, { remove: [at('n')] })

  expect(statSync(tree.indexPath).mode).toBe(mode)
})

test('a repository without an index gets one', () => {
  const tree = makeTree()

  const change = {
    indexPath: tree.indexPath,
    tempPath: join(tree.gitDir, 'gates-new-index'),
    index: undefined,
    set: [entry('a', blobOf(tree, 'a\n'))],
    remove: [],
  }

  native().prepareIndex(change)

  expect(native().commitIndex(change)).toBe('written')
  expect(tree.git('ls-files')).toBe('a\n')
})

describe('beside a git that is at work', () => {
  test('a held lock is left alone, and the prepared file waits', () => {
    const tree = makeCommitted()
    const change = changeOf(tree, { remove: [at('a')] })
    native().prepareIndex(change)
    writeFileSync(`${tree.indexPath}.lock`, 'somebody')

    expect(native().commitIndex(change)).toBe('held')
    expect(existsSync(change.tempPath)).toBe(true)
    expect(statSync(`${tree.indexPath}.lock`).size).toBe(8)
  })

  test('an index that git wrote meanwhile is not lost', () => {
    const tree = makeCommitted()
    const change = changeOf(tree, { remove: [at('a')] })
    native().prepareIndex(change)
    tree.write('staged', 's\n')
    tree.git('add', 'staged')

    expect(native().commitIndex(change)).toBe('moved')
    expect(tree.git('ls-files')).toBe('a\nd/b\nd/c\nstaged\n')
    expect(readdirSync(tree.gitDir).filter((name) => /lock|gates/.test(name))).toEqual([])
  })

  test('a stale lock stays when it is not the noted file', () => {
    const tree = makeCommitted()
    const id = native().prepareIndex(changeOf(tree, {}))
    writeFileSync(`${tree.indexPath}.lock`, 'somebody')

    expect(native().releaseStaleLock({ ...id, indexPath: tree.indexPath })).toBe(false)
    expect(existsSync(`${tree.indexPath}.lock`)).toBe(true)
  })

  test('our own lock of a killed pass is removed', () => {
    const tree = makeCommitted()
    const change = changeOf(tree, {})
    const id = native().prepareIndex(change)
    linkSync(String(change.tempPath), `${tree.indexPath}.lock`)

    expect(native().releaseStaleLock({ ...id, indexPath: tree.indexPath })).toBe(true)
    expect(existsSync(`${tree.indexPath}.lock`)).toBe(false)
  })
})

describe('an index that git would refuse is not written', () => {
  test.each([
    ['a file that is a directory of others', 'd'],
    ['a file below another file', 'a/x'],
  ])('%s', (_, path) => {
    const tree = makeCommitted()
    const change = changeOf(tree, { set: [entry(path, blobOf(tree, 'b\n'))] })

    expect(codeOf(() => native().prepareIndex(change))).toBe('EEXIST')
    expect(existsSync(change.tempPath)).toBe(false)
  })

  test('one entry twice', () => {
    const tree = makeCommitted()
    const twice = entry('new', blobOf(tree, 'b\n'))

    expect(codeOf(() => native().prepareIndex(changeOf(tree, { set: [twice, twice] })))).toBe('EINVAL')
  })
})
