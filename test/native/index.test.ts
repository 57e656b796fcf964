import { writeFileSync } from 'node:fs'

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { native } from '../../src/native/binding.ts'
import { entriesOfGit } from './listed.ts'
import { at, codeOf, makeTree } from './tree.ts'

function makeOddTree() {
  const tree = makeTree()
  tree.write('a.txt', 'a\n')
  tree.write('a/b.txt', 'b\n')
  tree.write('a/b/c.txt', 'c\n', 0o755)
  tree.write(`deep/${'long-name-'.repeat(20)}/file`, 'x\n')
  tree.write('caf\u00e9.txt', 'utf-8\n')
  tree.write('skipped', 's\n')
  tree.write('assumed', 's\n')
  tree.write('intent', 'i\n')
  tree.git('add', '--all', ':!intent')
  return tree
}

describe.each([2, 3, 4])('index version %i', (version) => {
  test('names the tree that all entries make until something is staged', () => {
    const tree = makeOddTree()
    tree.git('update-index', '--index-version', String(version))
    const written = tree.git('write-tree').trim()
    const before = native().parseIndex(tree.index()).tree
    tree.write('a/b.txt', 'other\n')
    tree.git('add', 'a/b.txt')

    expect(before).toBe(written)
    expect(native().parseIndex(tree.index()).tree).toBeUndefined()
  })

  test('has the entries that git lists', () => {
    const tree = makeOddTree()
    tree.git('update-index', '--assume-unchanged', 'assumed')
    if (version > 2) {
      tree.git('update-index', '--skip-worktree', 'skipped')
      tree.git('add', '--intent-to-add', 'intent')
    }
    tree.git('update-index', '--index-version', String(version))
    const index = tree.index()

    const entries = native().indexEntries(index)

    expect(native().parseIndex(index)).toMatchObject({ version, count: entries.length, needsPlumbing: false })
    expect(entries).toEqual(entriesOfGit(tree))
  })

  test('has every stage of a conflicted path', () => {
    const tree = makeTree()
    const blob = (text: string) =>
      tree.gitBytes(['hash-object', '-w', '--stdin'], { input: text }).toString().trim()
    const lines = [1, 2, 3].map((stage) => `100644 ${blob(String(stage))} ${String(stage)}\tboth.txt`)
    tree.gitBytes(['update-index', '--index-info'], { input: `${lines.join('\n')}\n` })
    tree.git('update-index', '--index-version', String(version))

    expect(native().indexEntries(tree.index(), [at('both.txt')])).toEqual(entriesOfGit(tree))
  })
})

test('names without an entry are left out', () => {
  const tree = makeOddTree()

  const entries = native().indexEntries(tree.index(), [at('nowhere'), at('a.txt'), at('a'), at('a.txt')])

  expect(entries.map((entry) => entry.path)).toEqual(['a.txt'])
})

test('extensions are named, a split index asks for the plumbing', () => {
  const tree = makeOddTree()
  tree.git('commit', '-q', '-m', 'first')
  const whole = native().parseIndex(tree.index())
  tree.git('update-index', '--split-index')
  const split = native().parseIndex(tree.index())

  expect(whole.extensions).toContain('TREE')
  expect(split).toMatchObject({ needsPlumbing: true })
  expect(split.extensions).toContain('link')
  expect(codeOf(() => native().indexEntries(tree.index()))).toBe('ENOTSUP')
})

test('a sparse index asks for the plumbing', () => {
  const tree = makeOddTree()
  tree.git('commit', '-q', '-m', 'first')
  tree.git('sparse-checkout', 'set', '--cone', '--sparse-index', 'a')

  expect(native().parseIndex(tree.index())).toMatchObject({ needsPlumbing: true })
})

test('damaged bytes are EBADINDEX or another reading, never a crash', () => {
  const tree = makeOddTree()
  const originals = [2, 4].map((version) => {
    tree.git('update-index', '--index-version', String(version))
    return tree.index()
  })
  const damage = fc.record({
    original: fc.constantFrom(...originals),
    cut: fc.nat(),
    changes: fc.array(fc.tuple(fc.nat(), fc.nat(255)), { maxLength: 8 }),
  })

  fc.assert(
    fc.property(damage, ({ original, cut, changes }) => {
      const bytes = Buffer.from(cut % 3 === 0 ? original.subarray(0, cut % original.length) : original)
      for (const [offset, value] of changes) if (bytes.length > 0) bytes[offset % bytes.length] = value
      expect([undefined, 'EBADINDEX', 'ENOTSUP']).toContain(codeOf(() => native().indexEntries(bytes)))
    }),
    { numRuns: 500 },
  )
})

describe('diffIndexes', () => {
  test('names paths that were added, removed, changed, conflicted or flagged, sorted', () => {
    const tree = makeOddTree()
    const before = tree.index()
    tree.write('a.txt', 'changed\n')
    tree.write('new', 'n\n')
    tree.git('add', 'a.txt', 'new')
    tree.git('rm', '-q', '--cached', 'a/b.txt')
    tree.git('update-index', '--chmod=+x', 'skipped')
    tree.git('update-index', '--assume-unchanged', 'assumed')
    tree.git('add', '--intent-to-add', 'intent')

    const changed = native().diffIndexes(before, tree.index())

    expect(changed).toEqual(['a.txt', 'a/b.txt', 'assumed', 'intent', 'new', 'skipped'])
  })

  test('finds nothing where only stat data and version differ', () => {
    const tree = makeOddTree()
    const before = tree.index()
    writeFileSync(tree.path('a.txt'), 'a\n')
    tree.git('update-index', '--index-version', '4', '--refresh')

    expect(native().diffIndexes(before, tree.index())).toEqual([])
  })
})

test('a wrong argument is a TypeError that names it', () => {
  expect(() => native().parseIndex('text' as unknown as Buffer)).toThrow(
    new TypeError('index must be a Buffer'),
  )
  expect(() => native().statRow('/', at('\u0142'))).toThrow('path must be a string of one character per byte')
})
