import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { native } from '../../src/native/binding.ts'
import type { Replacement } from '../../src/native/types.ts'
import { listing } from './replacing.ts'
import { at, makeTree, type Tree } from './tree.ts'

/** Enough that several threads share them, some in one folder. */
const FILES = 2_500

const pathOf = (n: number): string => `s${n % 40}/deep/f${n}`

function replacements(tree: Tree): Replacement[] {
  return Array.from({ length: FILES }, (_, n) => ({
    root: tree.root,
    path: at(pathOf(n)),
    tempName: `.gates-temp-${n}`,
    keepPath: join(tree.keep, `kept-${n}`),
    content: { bytes: Buffer.from(`content ${n}\n`) },
    mode: 0o644,
    createParents: true,
  }))
}

test('many files at once are each put back as one alone would be, folders made on the way', () => {
  const tree = makeTree()
  tree.write('s1/deep/f1', 'edited\n')

  const results = native().replaceAll(replacements(tree), 60_000)

  expect(results).toHaveLength(FILES)
  expect(results.filter((result) => result instanceof Error || result?.created !== true)).toEqual([
    expect.objectContaining({ created: false, kept: 'inode' }),
  ])
  for (let n = 0; n < FILES; n++) expect(tree.read(pathOf(n))).toBe(`content ${n}\n`)
  expect(listing(tree).filter((name) => name.includes('gates-temp'))).toEqual([])
  expect(readdirSync(tree.keep)).toEqual(['kept-1'])
})

test('one that fails says why in its place, and stops no other', () => {
  const tree = makeTree()
  mkdirSync(tree.path(pathOf(7)), { recursive: true })
  tree.write('s9', 'a file where a folder was\n')

  const results = native().replaceAll(replacements(tree), 60_000)

  const codes = results.map((result) =>
    result instanceof Error ? (result as Error & { code?: string }).code : undefined,
  )
  expect(codes[7]).toBe('EISDIR')
  const inFile = (n: number) => n % 40 === 9
  expect(codes.every((code, n) => n === 7 || code === (inFile(n) ? 'ENOTDIR' : undefined))).toBe(true)
})

test('without time none is begun', () => {
  const tree = makeTree()

  expect(
    native()
      .replaceAll(replacements(tree), 0)
      .every((result) => result === undefined),
  ).toBe(true)
  expect(listing(tree)).toEqual(listing(makeTree()))
})
