import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

import { native } from '../../src/native/binding.ts'
import type { Replacement } from '../../src/native/types.ts'
import { at, makeTree, type Tree } from './tree.ts'

const text = (content: string) => ({ bytes: Buffer.from(content) })

const replacementOf = (tree: Tree, path: string, more: Partial<Replacement> = {}): Replacement => ({
  root: tree.root,
  path: at(path),
  tempName: '.gates-temp',
  keepPath: join(tree.keep, 'displaced'),
  content: text('baseline\n'),
  mode: 0o644,
  ...more,
})

export const replace = (tree: Tree, path: string, more: Partial<Replacement> = {}) =>
  native().replaceAt(replacementOf(tree, path, more))

export const remove = (tree: Tree, path: string) => native().removeAt(replacementOf(tree, path))

export const kept = (tree: Tree) => readFileSync(join(tree.keep, 'displaced'), 'utf8')

/** Everything below the root but `.git`. */
export const listing = (tree: Tree) =>
  readdirSync(tree.root, { recursive: true, encoding: 'utf8' })
    .filter((name) => !name.startsWith('.git'))
    .sort()

export function makeDirty() {
  const tree = makeTree()
  tree.write('a', 'edited\n')
  tree.write('d/b', 'edited\n')
  return tree
}
