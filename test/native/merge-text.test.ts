import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { native } from '../../src/native/binding.ts'
import { openGit } from './git.ts'
import { makeTree } from './tree.ts'

const LINES = '1\n2\n3\n4\n5\n6\n7\n8\n9\n'
const change = (line: string, to: string, text = LINES) => text.replace(line, to)

function merge(base: string, ours: string, theirs: string): string | undefined {
  const bytes = (text: string) => Buffer.from(text, 'latin1')
  const contents = { base: bytes(base), ours: bytes(ours), theirs: bytes(theirs) }
  return native().mergeText(openGit(makeTree()), contents)?.toString('latin1')
}

test.for([
  ['changes of different lines', LINES, change('1', 'top'), change('9', 'bottom')],
  ['the same change twice', LINES, change('5', 'same'), change('5', 'same')],
  ['bytes that are no UTF-8, without a newline at the end', LINES, change('1', '\xff'), change('9\n', 'end')],
  ['nothing into nothing', '', '', ''],
] as const)('merges as git merge-file does: %s', ([, base, ours, theirs]) => {
  const tree = makeTree()
  for (const [name, text] of Object.entries({ base, ours, theirs }))
    tree.write(name, Buffer.from(text, 'latin1'))
  tree.git('merge-file', 'ours', 'base', 'theirs')

  expect(merge(base, ours, theirs)).toBe(readFileSync(join(tree.root, 'ours'), 'latin1'))
})

test('gives nothing for lines that conflict', () => {
  expect(merge(LINES, change('5', 'ours'), change('5', 'theirs'))).toBeUndefined()
})

test('gives nothing for binary contents', () => {
  expect(merge(`${LINES}\0`, `${change('1', 'top')}\0`, `${change('9', 'bottom')}\0`)).toBeUndefined()
})
