/** Hostile bytes for the parsers of the addon, compiled without Node and with the sanitizers. */
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { GIT_ENV } from '../helpers/git.ts'
import { IS_LONG } from '../helpers/long.ts'
import { PACKAGE } from '../helpers/world.ts'

const TARGETS = ['index', 'table', 'tree', 'ident'] as const
/** Parts of the addon that know nothing of JavaScript and are handed bytes that anybody may have written. */
const PARTS = [
  'bytes',
  'configuration',
  'git_objects',
  'ident',
  'index_diff',
  'index_encode',
  'index_file',
  'index_walk',
  'libgit2',
  'plain',
  'sha1',
  'stat_row',
  'stat_table',
]
const ROUNDS = IS_LONG ? 2_000_000 : 100_000
const SECONDS_OF_ENGINE = 60

const has = (program: string): boolean => spawnSync(program, ['--version']).status === 0
const CAN_FUZZ = has('g++')
const CAN_GUIDE = IS_LONG && has('clang++')

const libgit2 = join(
  dirname(createRequire(import.meta.url).resolve('nodegit/package.json')),
  'vendor/libgit2/include',
)
const FLAGS = ['-std=gnu++17', '-g1', '-isystem', libgit2, '-I', join(PACKAGE, 'native')]
const SANITIZERS = '-fsanitize=address,undefined'
const partFiles = PARTS.map((name) => join(PACKAGE, 'native', `${name}.cc`))
const fuzzFile = (name: string): string => join(PACKAGE, 'test/fuzz', `${name}.cc`)

let folder: string
let seeds: readonly string[]

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fuzz-'))
  seeds = writeSeeds(join(folder, 'seeds'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
})

/** Files as git writes them, one of each shape. */
const MAKE_SEEDS = `
git init -q repo && cd repo
mkdir -p a/b && echo c > a/b/c.txt && echo d > a/d.txt && echo '$Id$ $Id: old $ $Idea$' > e.txt
git add --all
keep() { cp .git/index ../seeds/index-$1; }
git update-index --index-version 2 && keep 2
git update-index --index-version 4 && keep 4
git update-index --skip-worktree e.txt && git update-index --index-version 3 && keep 3
{ printf '\\005e.txt'; git cat-file tree $(git write-tree); } > ../seeds/tree
cp e.txt ../seeds/text
git update-index --split-index && keep split
`

function writeSeeds(into: string): string[] {
  mkdirSync(into)
  execFileSync('bash', ['-ec', MAKE_SEEDS], { cwd: folder, env: GIT_ENV })
  return readdirSync(into).map((name) => join(into, name))
}

function compile(
  compiler: string,
  output: string,
  sources: readonly string[],
  flags: readonly string[],
): string {
  const program = join(folder, output)
  execFileSync(compiler, [...FLAGS, ...flags, '-o', program, ...sources, '-ldl'], { stdio: 'pipe' })
  return program
}

describe.skipIf(!CAN_FUZZ)('damaged bytes end in an answer or an error, never outside their bounds:', () => {
  let program: string
  beforeAll(() => {
    const sources = [...TARGETS, 'standalone'].map(fuzzFile)
    program = compile(
      'g++',
      'standalone',
      [...sources, ...partFiles],
      [SANITIZERS, '-fno-sanitize-recover=all'],
    )
  }, 300_000)

  for (const target of TARGETS)
    test(target, { timeout: 600_000 }, () => {
      const seed = String(Date.now() % 1_000_000)

      const ran = spawnSync(program, [target, seed, String(ROUNDS), ...seeds], { encoding: 'utf8' })

      expect(ran.stderr, `seed ${seed}`).toBe('')
      expect(ran.status, `seed ${seed}`).toBe(0)
    })
})

describe.skipIf(!CAN_GUIDE)('so do bytes that the branches they reach lead to:', () => {
  for (const target of TARGETS)
    test(target, { timeout: 600_000 }, () => {
      const engine = [
        '-fsanitize=fuzzer,address,undefined',
        '-fno-sanitize-recover=all',
        `-DTARGET=${target}`,
      ]
      const program = compile(
        'clang++',
        `guided-${target}`,
        [fuzzFile(target), fuzzFile('engine'), ...partFiles],
        engine,
      )
      const corpus = join(folder, `corpus-${target}`)
      mkdirSync(corpus)
      for (const seed of seeds) execFileSync('cp', [seed, join(corpus, basename(seed))])

      const limits = [
        `-max_total_time=${String(SECONDS_OF_ENGINE)}`,
        '-max_len=65536',
        '-print_final_stats=1',
      ]
      const ran = spawnSync(program, [...limits, corpus], { cwd: folder, encoding: 'utf8' })

      console.log(`${target}: ${/number_of_executed_units: *\d+/.exec(ran.stderr)?.[0] ?? ''}`)
      expect(ran.status, ran.stderr.slice(-4_000)).toBe(0)
    })
})
