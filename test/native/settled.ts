/** A tree whose stat data git and the table both trust, and what a scan says of it after a change. */

import { symlinkSync } from 'node:fs'
import { native } from '../../src/native/binding.ts'
import { makeTree, waitMs, type Tree } from './tree.ts'

/** Longer than the 20 ms that a row has to be old to be trusted. */
export const TRUSTED_MS = 60

export function makeSettled() {
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

export const pin = async (tree: Tree, threads?: number) =>
  await native().pinTable({
    root: tree.root,
    index: tree.index(),
    indexMtimeNs: tree.indexMtimeNs(),
    ...(threads !== undefined && { threads }),
  })

/** Pins, changes, scans: path and kind of what differs. */
export async function changesAfter(tree: Tree, change: () => void) {
  const index = tree.index()
  const { table } = await pin(tree)
  change()
  const rows = await native().scan({ root: tree.root, index, table })
  return rows.map(({ path, kind }) => `${kind} ${path}`)
}
