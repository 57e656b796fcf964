import { createHash } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { asOid } from '../../src/core/ids.ts'
import { native } from '../../src/native/binding.ts'
import { openGit } from './git.ts'
import { at, codeOf, makeTree, type Tree } from './tree.ts'

const latin1 = (text: string) => Buffer.from(text, 'latin1')

const PIECES = [
  '\n',
  '\r\n',
  '\r',
  'text ',
  'caf\xe9 ',
  '\xc3\xa9',
  '$Id$',
  '$Id: old $',
  '$Id: a b $',
  '$Id: x',
  '$',
  '#',
  '$Idea$',
  '\0',
  ' ',
]

/** The same texts in every run. */
const sampleTexts = (count: number) => {
  const text = fc
    .array(fc.constantFrom(...PIECES), { maxLength: 12 })
    .map((pieces) => latin1(pieces.join('')))
  return fc.sample(text, { numRuns: count, seed: 7 })
}

const SETTINGS: readonly [string, Record<string, string>][] = [
  ['* text', {}],
  ['* text=auto', {}],
  ['* text eol=crlf', {}],
  ['* text=auto eol=crlf', {}],
  ['* text=auto', { 'core.autocrlf': 'true' }],
  ['', { 'core.autocrlf': 'true' }],
  ['', { 'core.autocrlf': 'input' }],
  ['* text', { 'core.eol': 'crlf' }],
  ['* text eol=crlf', { 'core.safecrlf': 'true' }],
  ['* -text', { 'core.autocrlf': 'true' }],
  ['* ident', {}],
  ['* ident text eol=crlf', {}],
  ['* ident text=auto eol=crlf', {}],
  ['* binary', {}],
]

function makeConverting(attributes: string, config: Record<string, string>) {
  const tree = makeTree()
  for (const [key, value] of Object.entries(config)) tree.git('config', key, value)
  tree.write('.gitattributes', `${attributes}\n`)
  tree.git('-c', 'core.safecrlf=false', 'add', '.gitattributes')
  return tree
}

describe.each(SETTINGS)('attributes %j with %j', (attributes, config) => {
  const texts = sampleTexts(150)

  test('smudge gives what git cat-file --filters prints', () => {
    const tree = makeConverting(attributes, config)
    const expected = filteredByGit(tree, texts)
    const git = openGit(tree)

    const smudged = texts.map((text, i) =>
      native()
        .smudge(git, at(`f${String(i)}`), text)
        .toString('latin1'),
    )

    expect(smudged).toEqual(expected)
  })

  test('clean gives what git stores', () => {
    const tree = makeConverting(attributes, { ...config, 'core.safecrlf': 'false' })
    const stored = hashedByGit(tree, texts, [])
    const git = openGit(tree)

    const cleaned = texts.map((text, i) => native().cleanedId(git, at(`f${String(i)}`), text))

    expect(cleaned).toEqual(stored)
  })
})

/** Stores the texts as blobs and lets git print them as it would check them out. */
function filteredByGit(tree: Tree, texts: readonly Buffer[]): string[] {
  const requests = hashedByGit(tree, texts, ['-w', '--no-filters']).map((oid, i) => `${oid} f${String(i)}\n`)
  const output = tree.gitBytes(['cat-file', '--filters', '--batch=@@@%(objectname)'], {
    input: requests.join(''),
  })
  const answers = output
    .toString('latin1')
    .split(/@@@[0-9a-f]{40}\n/)
    .slice(1)
  return answers.map((answer) => answer.slice(0, -1))
}

/** Writes the texts as files and lets git hash all of them. */
function hashedByGit(tree: Tree, texts: readonly Buffer[], options: readonly string[]): string[] {
  for (const [i, text] of texts.entries()) tree.write(`f${String(i)}`, text)
  const input = texts.map((_, i) => `f${String(i)}\n`).join('')
  return tree
    .gitBytes(['hash-object', '--stdin-paths', ...options], { input })
    .toString()
    .trim()
    .split('\n')
}

test('carriage returns that the index has stay in automatic text', () => {
  const tree = makeConverting('* text=auto', {})
  const input = `100644 ${hashedByGit(tree, [latin1('a\r\n')], ['-w', '--no-filters'])[0] ?? ''}\told\n`
  tree.gitBytes(['update-index', '--index-info'], { input })
  const git = openGit(tree)

  const cleaned = (name: string) => native().cleanedId(git, at(name), latin1('a\r\nb\r\n'))
  expect(cleaned('old')).toBe(native().hashBlob(latin1('a\r\nb\r\n')))
  expect(cleaned('new')).toBe(native().hashBlob(latin1('a\nb\n')))
})

describe('attributes come from', () => {
  test('the index, whatever the work tree says', () => {
    const tree = makeConverting('*.txt text eol=crlf', {})
    tree.write('.gitattributes', '*.txt -text\n')
    const git = openGit(tree)

    expect(native().smudge(git, at('a/b.txt'), latin1('x\n')).toString()).toBe('x\r\n')
  })

  test('a private index, the folders of the path included', () => {
    const tree = makeConverting('* -text', {})
    const view = join(tree.keep, 'view')
    const oids = ['* text eol=crlf\n', 'raw -text\n'].map((text) =>
      tree.gitBytes(['hash-object', '-w', '--stdin'], { input: text }).toString().trim(),
    )
    const set = ['.gitattributes', 'd/e/.gitattributes'].map((path, i) => ({
      path: at(path),
      stage: 0 as const,
      mode: 0o100644,
      oid: asOid(oids[i] ?? ''),
      assumeValid: false,
      skipWorktree: false,
      intentToAdd: false,
    }))
    native().prepareIndex({
      indexPath: join(tree.keep, 'none'),
      tempPath: view,
      index: undefined,
      set,
      remove: [],
    })
    const git = openGit(tree, view)

    expect(native().smudge(git, at('d/e/f'), latin1('x\n')).toString()).toBe('x\r\n')
    expect(native().smudge(git, at('d/e/raw'), latin1('x\n')).toString()).toBe('x\n')
  })

  test('each kind of value', () => {
    const tree = makeConverting('*.gen linguist-generated -text eol=lf filter=lfs !ident', {})
    const git = openGit(tree)

    const values = native().attributes(git, at('d/x.gen'), [
      'linguist-generated',
      'text',
      'eol',
      'filter',
      'ident',
      'diff',
    ])

    expect(values).toEqual([true, false, 'lf', 'lfs', undefined, undefined])
  })
})

test('a blob\u2019s id is git\u2019s, whatever the size', () => {
  for (const size of [0, 1, 54, 55, 56, 63, 64, 65, 119, 120, 4_096, 1_000_003]) {
    const bytes = Buffer.alloc(size, 'abc\xff')
    const expected = createHash('sha1')
      .update(`blob ${String(size)}\0`)
      .update(bytes)
      .digest('hex')

    expect(native().hashBlob(bytes)).toBe(expected)
  }
})

test('bytes are not taken for text', () => {
  const tree = makeConverting('* text eol=crlf', {})
  const git = openGit(tree)
  const bytes = latin1('\xff\xfe \xe9\n\x80')

  expect(native().smudge(git, at('a'), bytes)).toEqual(latin1('\xff\xfe \xe9\r\n\x80'))
})

test('a closed repository and a missing one are errors', () => {
  const tree = makeConverting('', {})
  const git = openGit(tree)
  native().closeGit(git)
  writeFileSync(join(tree.keep, 'no-repository'), '')

  expect(codeOf(() => native().smudge(git, at('a'), latin1('')))).toBe('EBADF')
  expect(codeOf(() => native().openGit({ gitDir: join(tree.keep, 'no-repository') }))).toBe('ENOENT')
})
