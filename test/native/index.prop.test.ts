/** The index parser against what git lists, and the writer against what git makes of the same change. */
import { copyFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { IndexEntry } from '../../src/core/baseline.ts'
import { asOid } from '../../src/core/ids.ts'
import { native } from '../../src/native/binding.ts'
import { IS_LONG } from '../helpers/long.ts'
import { entriesOfGit } from './listed.ts'
import { at, makeTree, type Tree } from './tree.ts'

const RUNS = { numRuns: IS_LONG ? 200 : 10 }
const TIMEOUT_MS = IS_LONG ? 1_200_000 : 30_000

/** Names that sort, nest and quote in every way; each character is a byte. */
const name = fc.oneof(
  fc.constantFrom(
    'a',
    'a.b',
    'a-b',
    'a b',
    'A',
    '-x',
    ':x',
    '*',
    'caf\xe9',
    '\xff',
    'tab\t',
    'line\n',
    '"q"',
    '\\',
  ),
  fc.string({
    unit: fc.integer({ min: 1, max: 255 }).map((byte) => String.fromCharCode(byte)),
    minLength: 1,
    maxLength: 12,
  }),
  fc.integer({ min: 200, max: 255 }).map((length) => 'n'.repeat(length)),
)
const isPath = (path: string): boolean =>
  path.split('/').every((part) => part !== '' && !/^\.\.?$/.test(part) && !/^\.git$/i.test(part))
const path = fc
  .oneof(
    fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/')),
    fc
      .integer({ min: 15, max: 20 })
      .map((depth) => Array.from({ length: depth }, () => 'd'.repeat(230)).join('/')),
  )
  .filter(isPath)

interface Content {
  readonly path: string
  readonly mode: number
  readonly text: string
  /** One whole entry, or the stages of a conflict. */
  readonly stages: readonly IndexEntry['stage'][]
  readonly flags: Pick<IndexEntry, 'assumeValid' | 'skipWorktree'>
}

const content: fc.Arbitrary<Content> = fc.record({
  path,
  mode: fc.constantFrom(0o100644, 0o100755, 0o120000, 0o160000),
  text: fc.constantFrom('1', '2', '3', '4'),
  stages: fc.oneof(
    { weight: 4, arbitrary: fc.constant([0 as const]) },
    fc.subarray([1, 2, 3] as const, { minLength: 1 }),
  ),
  flags: fc.record({ assumeValid: fc.boolean(), skipWorktree: fc.boolean() }),
})

/** Entries of which none is a folder of another. */
const contents = (maxLength: number) =>
  fc
    .uniqueArray(content, { maxLength, selector: (each) => each.path })
    .map((all) => all.filter((each) => !all.some((other) => each.path.startsWith(`${other.path}/`))))

const version = fc.constantFrom(2, 3, 4)

const BLOBS = new Map(
  ['1', '2', '3', '4'].map((text) => [text, native().hashBlob(Buffer.from(text))] as const),
)

function entriesOf({ path: name, mode, text, stages, flags }: Content): IndexEntry[] {
  const isWhole = stages[0] === 0
  const oid = mode === 0o160000 ? asOid('1234567890'.repeat(4)) : (BLOBS.get(text) ?? asOid(''))
  return stages.map((stage) => ({
    path: at(name),
    stage,
    mode,
    oid,
    assumeValid: isWhole && flags.assumeValid,
    skipWorktree: isWhole && flags.skipWorktree,
    intentToAdd: false,
  }))
}

/** Makes git have exactly these entries beside those that stay. */
function putByGit(tree: Tree, put: readonly Content[], remove: readonly string[] = []): void {
  const paths = (names: readonly string[]) => Buffer.from(names.map((each) => `${each}\0`).join(''), 'latin1')
  const gone = [...remove, ...put.map((each) => each.path)].map((each) => `0 ${'0'.repeat(40)}\t${each}\0`)
  const lines = put
    .flatMap(entriesOf)
    .map((entry) => `${entry.mode.toString(8)} ${entry.oid} ${String(entry.stage)}\t${entry.path}\0`)
  tree.gitBytes(['update-index', '-z', '--index-info'], {
    input: Buffer.from([...gone, ...lines].join(''), 'latin1'),
  })
  for (const [flag, has] of [
    ['--assume-unchanged', 'assumeValid'],
    ['--skip-worktree', 'skipWorktree'],
  ] as const) {
    const flagged = put.filter((each) => each.stages[0] === 0 && each.flags[has]).map((each) => each.path)
    if (flagged.length > 0) tree.gitBytes(['update-index', flag, '-z', '--stdin'], { input: paths(flagged) })
  }
}

/** A repository whose commit is empty, with the blobs of all entries. */
function makeEmpty(): Tree {
  const tree = makeTree()
  tree.commit('empty')
  for (const text of BLOBS.keys()) tree.gitBytes(['hash-object', '-w', '--stdin'], { input: text })
  return tree
}

test(
  'any index that git makes is read as git lists it',
  () => {
    const tree = makeEmpty()
    fc.assert(
      fc.property(contents(12), version, (entries, asked) => {
        tree.git('read-tree', '--empty')
        putByGit(tree, entries)
        tree.git('update-index', '--force-write-index', '--index-version', String(asked))

        expect(native().indexEntries(tree.index())).toEqual(entriesOfGit(tree))
      }),
      RUNS,
    )
  },
  TIMEOUT_MS,
)

test(
  'any change is written as git would write it, and git finds nothing wrong with the result',
  () => {
    const tree = makeEmpty()
    const whole = join(tree.gitDir, 'whole')
    fc.assert(
      fc.property(
        contents(8),
        contents(5),
        fc.array(fc.nat(), { maxLength: 4 }),
        version,
        (entries, put, picks, asked) => {
          tree.git('read-tree', '--empty')
          putByGit(tree, entries)
          tree.git('update-index', '--force-write-index', '--index-version', String(asked))
          const fits = put.filter((each) => !entries.some((other) => areFileAndFolder(each.path, other.path)))
          const remove =
            entries.length === 0 ? [] : picks.map((pick) => entries[pick % entries.length]?.path ?? '')
          copyFileSync(tree.indexPath, whole)

          const gone = [...remove, ...fits.map((each) => each.path)]
          const before = tree.index()
          const change = { indexPath: tree.indexPath, tempPath: join(tree.gitDir, 'new'), index: before }
          native().prepareIndex({ ...change, set: fits.flatMap(entriesOf), remove: gone.map(at) })
          expect(native().commitIndex(change)).toBe('written')
          const written = [
            entriesOfGit(tree),
            tree.git('status', '--porcelain', '-z'),
            tree.git('fsck', '--no-dangling'),
          ]
          expect(native().indexEntries(tree.index())).toEqual(written[0])

          copyFileSync(whole, tree.indexPath)
          putByGit(tree, fits, remove)
          expect(written).toEqual([entriesOfGit(tree), tree.git('status', '--porcelain', '-z'), ''])
        },
      ),
      RUNS,
    )
  },
  TIMEOUT_MS,
)

const areFileAndFolder = (one: string, other: string): boolean =>
  one.startsWith(`${other}/`) || other.startsWith(`${one}/`)
