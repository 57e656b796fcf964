/** Our conversion of content against git's own, for bytes, attributes and settings at random. */
import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'

import fc from 'fast-check'
import { describe, expect, test } from 'vitest'

import { startDeadline } from '../../src/core/deadline.ts'
import { asOid, type Oid, type RepoPath } from '../../src/core/ids.ts'
import { openAttributesView, type AttributesView } from '../../src/git/attributes-view.ts'
import { pinConversion } from '../../src/git/conversion.ts'
import { IS_LONG } from '../helpers/long.ts'
import { at, makeTree, type Tree } from './tree.ts'

interface Sample {
  readonly attributes: string
  readonly bytes: Buffer
}

interface Conversions {
  readonly config: Readonly<Record<string, string>>
  readonly samples: readonly Sample[]
}

const PIECES = [
  '\n',
  '\r\n',
  '\r',
  'text ',
  'caf\xe9',
  '\xc3\xa9',
  '$Id$',
  '$Id: old $',
  '$',
  '#',
  '\0',
  '\x1a',
  '\xff\xfe',
  'a\0',
]

const bytes = fc.oneof(
  fc.uint8Array({ maxLength: 200 }).map((array) => Buffer.from(array)),
  fc
    .array(fc.constantFrom(...PIECES), { maxLength: 14 })
    .map((pieces) => Buffer.from(pieces.join(''), 'latin1')),
  // A long text hides one odd byte from the rule of thumb for binary files.
  fc
    .tuple(fc.constantFrom(...PIECES), fc.nat(400))
    .map(([piece, size]) =>
      Buffer.from(`${'line\r\n'.repeat(size)}${piece}${'line\n'.repeat(size)}`, 'latin1'),
    ),
)

const attributes = fc
  .record({
    text: fc.constantFrom(
      '',
      'text',
      '-text',
      'text=auto',
      'text=input',
      'crlf',
      '-crlf',
      'crlf=input',
      'binary',
    ),
    eol: fc.constantFrom('', '', 'eol=lf', 'eol=crlf'),
    ident: fc.constantFrom('', '', 'ident', '-ident'),
    encoding: fc.constantFrom(
      '',
      '',
      '',
      'working-tree-encoding=UTF-16',
      'working-tree-encoding=UTF-16LE-BOM',
      'working-tree-encoding=ISO-8859-1',
    ),
    filter: fc.constantFrom('', '', '', 'filter=rot', 'filter=none'),
  })
  .map((chosen) =>
    Object.values(chosen)
      .filter((word) => word !== '')
      .join(' '),
  )

const conversions: fc.Arbitrary<Conversions> = fc.record({
  config: fc.record(
    {
      'core.autocrlf': fc.constantFrom('true', 'false', 'input'),
      'core.eol': fc.constantFrom('lf', 'crlf', 'native'),
      'core.safecrlf': fc.constantFrom('true', 'false', 'warn'),
    },
    { requiredKeys: [] },
  ),
  samples: fc.array(fc.record({ attributes, bytes }), { minLength: 30, maxLength: 30 }),
})

const RUNS = IS_LONG ? 60 : 4
/** The same ones in every usual run. */
const OPTIONS = { numRuns: RUNS, ...(IS_LONG ? {} : { seed: 11 }) }

describe('for random bytes, attributes and settings', { timeout: 60_000 + RUNS * 20_000 }, () => {
  test('smudge gives what git cat-file --filters prints', async () => {
    const check = async (given: Conversions): Promise<void> => {
      await withView(given, async ({ tree, view, contents }) => {
        const oids = hashedByGit(tree, contents, ['-w', '--no-filters'])
        const printed = printedByGit(tree, oids)

        const smudged = await view.smudge(
          new Map([...oids].map(([path, oid]) => [path, { oid, mode: 0o100644 }])),
        )

        // What a driver gives is taken only when it is stored as the blob again.
        const isProven = provenByGit(tree, printed, oids)
        for (const [path, text] of printed)
          expect(smudged.get(path), describeSample(given, path)).toEqual(isProven(path) ? text : undefined)
      })
    }
    await fc.assert(fc.asyncProperty(conversions, check), OPTIONS)
  })

  test('clean gives the id that git hash-object --path gives', async () => {
    const check = async (given: Conversions): Promise<void> => {
      await withView(given, async ({ tree, view, contents }) => {
        const hashed = hashedByGit(tree, contents, [])

        const cleaned = await view.clean(contents)

        for (const [path, oid] of hashed) expect(cleaned.get(path), describeSample(given, path)).toBe(oid)
      })
    }
    await fc.assert(fc.asyncProperty(conversions, check), OPTIONS)
  })
})

type Contents = ReadonlyMap<RepoPath, Buffer>

const pathOf = (index: number): RepoPath => at(`f${String(index)}`)

/** A repository with these settings, a file for each sample, and the view of it that a gate would have. */
async function withView(
  { config, samples }: Conversions,
  use: (made: { tree: Tree; view: AttributesView; contents: Contents }) => Promise<void>,
): Promise<void> {
  const tree = makeTree()
  const lines = samples.flatMap(({ attributes }, i) =>
    attributes === '' ? [] : [`${pathOf(i)} ${attributes}\n`],
  )
  tree.write('.gitattributes', lines.join(''))
  const commit = asOid(tree.commit('attributes'))
  // Only now: `core.safecrlf` may refuse the file of attributes itself.
  for (const [key, value] of [...Object.entries(config), ...Object.entries(ROT)])
    tree.git('config', key, value)
  const contents = new Map(samples.map(({ bytes }, i) => [pathOf(i), bytes]))
  for (const [path, bytes] of contents) tree.write(path, bytes)
  const dirs = { gitDir: tree.gitDir, commonDir: tree.gitDir }
  const using = { env: ENV, deadline: startDeadline(600_000, () => performance.now()) }
  const scratch = join(tree.keep, 'scratch')
  mkdirSync(scratch)
  const conversion = await pinConversion(dirs, join(tree.keep, 'conversion'), using)
  const view = openAttributesView({
    ...dirs,
    ...using,
    conversion,
    commit,
    paths: [...contents.keys()],
    scratch,
  })
  try {
    await use({ tree, view, contents })
  } finally {
    view.close()
    rmSync(tree.root, { recursive: true })
  }
}

const ROT = { 'filter.rot.clean': 'tr a-z n-za-m', 'filter.rot.smudge': 'tr a-z n-za-m' }
const ENV = {
  PATH: process.env['PATH'],
  HOME: '/nonexistent',
  LC_ALL: 'C',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
}

/** Ids as git gives them to files of the work tree. */
function hashedByGit(tree: Tree, paths: Contents, options: readonly string[]): ReadonlyMap<RepoPath, Oid> {
  const names = [...paths.keys()]
  const args = ['-c', 'core.safecrlf=false', 'hash-object', '--stdin-paths', ...options]
  const ids = tree
    .gitBytes(args, { input: names.map((name) => `${name}\n`).join('') })
    .toString()
    .trim()
    .split('\n')
  return new Map(names.map((name, i) => [name, asOid(ids[i] ?? '')]))
}

function printedByGit(tree: Tree, oids: ReadonlyMap<RepoPath, Oid>): Contents {
  const input = [...oids].map(([path, oid]) => `${oid} ${path}\n`).join('')
  const output = tree
    .gitBytes(['cat-file', '--filters', '--batch=@@@%(objectname)'], { input })
    .toString('latin1')
  const texts = output.split(/@@@[0-9a-f]{40}\n/).slice(1)
  return new Map(
    [...oids.keys()].map((path, i) => [path, Buffer.from(texts[i]?.slice(0, -1) ?? '', 'latin1')]),
  )
}

/** Whether a path has no driver, or git stores what it printed as the blob again. */
function provenByGit(
  tree: Tree,
  printed: Contents,
  oids: ReadonlyMap<RepoPath, Oid>,
): (path: RepoPath) => boolean {
  for (const [path, bytes] of printed) tree.write(path, bytes)
  const again = hashedByGit(tree, printed, [])
  const attributes = tree.read('.gitattributes').split('\n')
  const driven = new Set(
    attributes.flatMap((line) => (line.endsWith(' filter=rot') ? [line.split(' ')[0]] : [])),
  )
  return (path) => !driven.has(path) || again.get(path) === oids.get(path)
}

const describeSample = ({ config, samples }: Conversions, path: RepoPath): string => {
  const sample = samples[Number(path.slice(1))]
  return `${JSON.stringify(config)} ${sample?.attributes ?? ''}: ${JSON.stringify(sample?.bytes.toString('latin1'))}`
}
