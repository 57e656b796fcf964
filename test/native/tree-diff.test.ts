import { symlinkSync, writeFileSync } from 'node:fs'
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { asOid } from '../../src/core/ids.ts'
import { native } from '../../src/native/binding.ts'
import { openGit } from './git.ts'
import { codeOf, makeTree, type Tree } from './tree.ts'

const changed = (tree: Tree, from: string, to: string) =>
  native().changedPaths(openGit(tree), asOid(from), asOid(to))

/** As git itself names them. */
const changedOfGit = (tree: Tree, from: string, to: string) =>
  tree
    .git('diff-tree', '-r', '-z', '--no-renames', '--name-only', from, to)
    .split('\0')
    .filter((path) => path !== '')

describe('changedPaths', () => {
  test('names what git names: added, deleted, changed, a new mode, a link, a submodule', () => {
    const tree = makeTree()
    for (const path of ['a', 'd/b', 'd/e/c', 'mode', 'same', 'to-link']) tree.write(path, `${path}\n`)
    const from = tree.commit('from')
    tree.git('rm', '-q', 'a', 'to-link')
    tree.write('d/e/c', 'changed\n')
    tree.write('new/file', 'n\n')
    symlinkSync('same', tree.path('to-link'))
    tree.git('add', '.')
    tree.git('update-index', '--chmod=+x', 'mode')
    tree.git('update-index', '--add', '--cacheinfo', `160000,${from},sub`)
    tree.git('commit', '-q', '-m', 'to')
    const to = tree.git('rev-parse', 'HEAD').trim()

    expect(changed(tree, from, to)).toEqual(['a', 'd/e/c', 'mode', 'new/file', 'sub', 'to-link'])
    expect(changed(tree, from, to)).toEqual(changedOfGit(tree, from, to))
    expect(changed(tree, from, from)).toEqual([])
  })

  test('names both where a file becomes a folder and the other way round', () => {
    const tree = makeTree()
    tree.write('x', 'file\n')
    tree.write('y/z', 'below\n')
    const from = tree.commit('from')
    tree.git('rm', '-q', '-r', 'x', 'y')
    tree.write('x/z', 'below\n')
    tree.write('y', 'file\n')
    const to = tree.commit('to')

    expect(changed(tree, from, to)).toEqual(['x', 'x/z', 'y', 'y/z'])
  })

  test('keeps names that are not UTF-8 as they are', () => {
    const tree = makeTree()
    const from = tree.commit('from')
    writeFileSync(Buffer.from(`${tree.root}/caf\xe9`, 'latin1'), 'x\n')
    const to = tree.commit('to')

    expect(changed(tree, from, to)).toEqual(['caf\u00e9'])
  })

  test('is ENOENT where a tree is missing', () => {
    const tree = makeTree()
    const from = tree.commit('from')

    expect(codeOf(() => changed(tree, from, '1'.repeat(40)))).toBe('ENOENT')
  })

  test('agrees with git on any two trees', () => {
    const tree = makeTree()
    const name = fc.constantFrom('a', 'a.b', 'a-b', 'b', 'c\u00e9', 'z z')
    const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => names.join('/'))
    const files = fc.uniqueArray(fc.tuple(path, fc.constantFrom('1', '2', '3')), {
      maxLength: 8,
      selector: ([at]) => at,
    })
    const commitOf = (entries: readonly (readonly [string, string])[]): string => {
      tree.git('read-tree', '--empty')
      const blob = (text: string) =>
        tree.gitBytes(['hash-object', '-w', '--stdin'], { input: text }).toString().trim()
      const paths = entries.filter(([at]) => !entries.some(([other]) => other.startsWith(`${at}/`)))
      const lines = paths.map(([at, text]) => `100644 ${blob(text)}\t${at}\0`)
      tree.gitBytes(['update-index', '-z', '--index-info'], { input: Buffer.from(lines.join(''), 'latin1') })
      const id = tree.git('write-tree').trim()
      return tree.git('commit-tree', '-m', 'any', id).trim()
    }

    fc.assert(
      fc.property(files, files, (before, after) => {
        const [from, to] = [commitOf(before), commitOf(after)]
        expect(changed(tree, from, to)).toEqual(changedOfGit(tree, from, to).sort())
      }),
      { numRuns: 12 },
    )
  })
})
