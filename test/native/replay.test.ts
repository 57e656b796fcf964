import { join } from 'node:path'

import { describe, expect, test } from 'vitest'

import { asOid } from '../../src/core/ids.ts'
import { native } from '../../src/native/binding.ts'
import { everythingIn } from '../helpers/untouched.ts'
import { openGit } from './git.ts'
import { at, codeOf, makeTree, type Tree } from './tree.ts'

const LINES = '1\n2\n3\n4\n5\n6\n7\n8\n9\n'

/** A file with two branches, `one` and `two`, that change lines far from each other. */
function forked() {
  const tree = makeTree()
  openGit(tree)
  tree.write('f', LINES)
  tree.commit('base', 1_700_000_000)
  const change = (branch: string, text: string) => {
    tree.git('checkout', '-q', '-b', branch, 'main')
    tree.write('f', text)
    return tree.commit(branch, 1_700_000_060)
  }
  const one = change('one', LINES.replace('1', 'one'))
  const two = change('two', LINES.replace('9', 'two'))
  return { tree, one, two, change }
}

const replay = (tree: Tree, kind: 'merge' | 'pick' | 'revert', onto: string, others: readonly string[]) =>
  native().replay({ gitDir: tree.gitDir, kind, onto: asOid(onto), others: others.map(asOid), mainline: 0 })

const blobOf = (text: string) => native().hashBlob(Buffer.from(text))
const BOTH = LINES.replace('1', 'one').replace('9', 'two')

describe('what git would make is known', () => {
  test.for(['merge', 'pick'] as const)('of a %s', (kind) => {
    const { tree, one, two } = forked()

    const made = replay(tree, kind, one, [two])

    expect(native().replayedAt(made, at('f'))).toEqual({ oid: blobOf(BOTH), isConflicted: false })
    expect(native().replayedAt(made, at('g'))).toEqual({ oid: undefined, isConflicted: false })
  })

  test('of a revert', () => {
    const { tree, one } = forked()

    expect(native().replayedAt(replay(tree, 'revert', one, [one]), at('f')).oid).toBe(blobOf(LINES))
  })

  test('of an octopus', () => {
    const { tree, one, two, change } = forked()
    const three = change('three', LINES.replace('5', 'three'))

    const made = replay(tree, 'merge', one, [two, three])

    expect(native().replayedAt(made, at('f')).oid).toBe(blobOf(BOTH.replace('5', 'three')))
  })

  test('of a conflict', () => {
    const { tree, one, change } = forked()
    const other = change('other', LINES.replace('1', 'other'))

    const made = replay(tree, 'merge', one, [other])

    expect(native().replayedAt(made, at('f'))).toEqual({ oid: undefined, isConflicted: true })
  })
})

test('no object is written, and none that is there is touched', () => {
  const { tree, one, two } = forked()
  tree.git('checkout', '-q', 'one')
  tree.git('merge', '-q', '--no-edit', 'two')
  const objects = () => everythingIn(join(tree.gitDir, 'objects'))
  const before = objects()

  replay(tree, 'merge', one, [two])
  replay(tree, 'revert', one, [one])

  expect(objects()).toEqual(before)
})

test('a commit that is missing is ENOENT', () => {
  const { tree, one } = forked()

  expect(codeOf(() => replay(tree, 'pick', one, ['1'.repeat(40)]))).toBe('ENOENT')
})
