/** Hostile bytes for the native parsers, compiled without Node and with the sanitizers. */
import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { frontHeader } from '../../src/entry/front-header.ts'
import { readPayload } from '../../src/hook/payload.ts'
import { GIT_ENV } from '../helpers/git.ts'
import { IS_LONG } from '../helpers/long.ts'
import { createWorld, removeWorld, type World } from '../helpers/world.ts'
import { CAN_FUZZ, CAN_GUIDE, compile, compileGuided, fuzzFile, partFile, runGuided } from './compile.ts'
import { writeFrontSeeds, type FrontSeeds } from './front-seeds.ts'

/** Of so many bytes of a certificate one is damaged. */
const STEP = IS_LONG ? '1' : '29'
const ROUNDS = IS_LONG ? 2_000_000 : 40_000
/** Targets, and how many rounds of theirs take as long as one of the others: some look at files. */
const TARGETS = {
  index: 1,
  table: 1,
  tree: 1,
  ident: 1,
  digest: 1,
  scan: 1,
  payload: 1,
  certificate: 20,
  transcript: 20,
} as const
/** Parts that know nothing of JavaScript and are handed bytes that anybody may have written. */
const PARTS = [
  'byte_reader',
  'bytes',
  'compare_tree',
  'configuration',
  'directory_chain',
  'file_io',
  'git_objects',
  'handed_scan',
  'ident',
  'index_diff',
  'index_encode',
  'index_file',
  'index_walk',
  'large_memory',
  'libgit2',
  'mapped_file',
  'plain',
  'sha1',
  'sha1_block',
  'stat_row',
  'stat_table',
  'tree_path',
  'front/certificate',
  'front/deadline',
  'front/facts',
  'front/json',
  'front/payload',
  'front/platform',
  'front/state',
  'front/transcript',
  'front/tree',
  'front/words',
]
const targets = Object.keys(TARGETS) as (keyof typeof TARGETS)[]
/** The targets share what it takes to hold a certificate. */
const files = [...targets.map(fuzzFile), ...PARTS.map(partFile)]

let folder: string
let world: World
let front: FrontSeeds
let seeds: readonly string[]

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'fuzz-'))
  writeFileSync(join(folder, 'front_names.h'), frontHeader())
  world = createWorld()
  front = await writeFrontSeeds(world, join(folder, 'front-seeds'))
  seeds = writeSeeds(join(folder, 'seeds'))
})

afterAll(() => {
  rmSync(folder, { recursive: true, force: true })
  removeWorld(world.folder)
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

const READ_BY_FRONT = new Set<string>(['certificate', 'payload', 'transcript'])
const seedsOf = (target: string): readonly string[] => (READ_BY_FRONT.has(target) ? front.all : seeds)

describe.skipIf(!CAN_FUZZ)('damaged bytes', () => {
  let program: string
  beforeAll(() => {
    program = compile({ folder, files: [fuzzFile('standalone'), fuzzFile('every'), ...files] }, 'standalone')
  }, 600_000)

  const run = (...words: string[]) =>
    spawnSync(program, words, { encoding: 'utf8', env: front.env, maxBuffer: 64 * 1024 * 1024 })

  for (const target of targets)
    test(
      `end in an answer or an error, never outside their bounds: ${target}`,
      { timeout: 1_200_000 },
      () => {
        const seed = String(Date.now() % 1_000_000)

        const ran = run(target, seed, String(ROUNDS / TARGETS[target]), ...seedsOf(target))

        expect(ran.stderr, `seed ${seed}`).toBe('')
        expect(ran.status, `seed ${seed}`).toBe(0)
      },
    )

  test('of a certificate are for Node: every truncation, every bit, every byte', { timeout: 300_000 }, () => {
    const ran = run('every', 'certificate', front.certificate, STEP)

    expect([ran.status, ran.stderr]).toEqual([0, ''])
    expect(ran.stdout).toBe('0\theld\n')
  })

  test('of a certificate that is sealed again crash nothing', { timeout: 300_000 }, () => {
    const ran = run('every', 'sealed', front.certificate, STEP)

    expect([ran.status, ran.stderr]).toEqual([0, ''])
    expect(ran.stdout).toMatch(/^0\theld\n/)
  })

  test('of a payload are for Node, or Node reads the same call', { timeout: 300_000 }, () => {
    const inputs = damagesOf(readFileSync(front.payload))
    const ran = run('every', 'payload', front.payload, '1')

    expect([ran.status, ran.stderr]).toEqual([0, ''])
    const answers = ran.stdout.trimEnd().split('\n')
    expect(answers.length).toBeGreaterThan(100)
    for (const answer of answers) {
      const [number = '', call = ''] = answer.split('\t')
      const fields = JSON.parse(call) as Record<string, string | undefined>
      const read = readPayload(inputs[Number(number)] ?? Buffer.alloc(0))
      expect(
        [read.session, read.transcriptPath, read.event, read.cwd, read.tool, read.agentId],
        `input ${number}`,
      ).toEqual(
        ['session_id', 'transcript_path', 'hook_event_name', 'cwd', 'tool_name', 'agent_id'].map(
          (name) => fields[name],
        ),
      )
    }
  })
})

/** As `damages` in every.cc, in the same order. */
function damagesOf(bytes: Buffer): Buffer[] {
  const all = [bytes]
  for (let at = 0; at < bytes.length; at += 1) {
    all.push(bytes.subarray(0, at))
    for (const mask of [1, 2, 4, 8, 16, 32, 64, 128, 255]) {
      const copy = Buffer.from(bytes)
      copy.writeUInt8((copy[at] ?? 0) ^ mask, at)
      all.push(copy)
    }
  }
  return all
}

describe.skipIf(!CAN_GUIDE)('bytes that the branches they reach lead to', () => {
  for (const target of targets)
    test(`end in an answer or an error, too: ${target}`, { timeout: 1_200_000 }, () => {
      const program = compileGuided({ folder, files }, target)
      const corpus = join(folder, `corpus-${target}`)
      mkdirSync(corpus)
      for (const seed of seedsOf(target)) cpSync(seed, join(corpus, basename(seed)))

      const ran = runGuided(program, corpus, front.env)

      console.log(`${target}: ${ran.inputs}`)
      expect(ran.status, ran.stderr.slice(-4_000)).toBe(0)
    })
})
