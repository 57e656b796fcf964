import { cpSync, existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { IS_LONG } from '../helpers/long.ts'
import type { Repo } from '../helpers/repo.ts'
import type { Session } from '../helpers/session.ts'
import { test } from '../helpers/world.ts'
import { sessionInProcess } from '../hook/model/in-process.ts'
import { damaged, mistyped } from './damage.ts'

const RUNS = IS_LONG ? 2_000 : 40
const FIX = 'the fix\n'

/** Files of a session of one work tree, by the start of their names. */
const BYTES = [
  'record.json',
  'facts.json',
  'baseline.json',
  'refs.json',
  'index-',
  'table-',
  'HEAD',
  'config',
]
const JSON_FILES = ['record.json', 'facts.json', 'baseline.json', 'refs.json']

const filesNamed = (folder: string, start: string): string[] =>
  readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.startsWith(start))
    .map((entry) => join(entry.parentPath, entry.name))

describe('with damage in a file of the session a call goes through or blocks, and no byte is lost:', () => {
  const cases = [
    ...BYTES.map((name) => [name, 'bytes', damaged] as const),
    ...JSON_FILES.map((name) => [name, 'values of other types', mistyped] as const),
  ]
  for (const [name, what, damages] of cases)
    test(`${name}: ${what}`, { timeout: 900_000 }, async ({ world }) => {
      const repo = world.repo('dirty-start')
      const session = sessionInProcess(world, repo.folder)
      session.prompts('The total is wrong.').loads('investigate')
      await session.arm()
      await session.check('PostToolUse')
      const state = join(world.folder, 'state-as-it-was')
      cpSync(world.stateRoot, state, { recursive: true })
      const before = repo.read('src/edited.js')

      await fc.assert(
        fc.asyncProperty(damages, async (damage) => {
          rmSync(world.stateRoot, { recursive: true })
          cpSync(state, world.stateRoot, { recursive: true })
          const [file] = filesNamed(session.stateFolder, name)
          if (file === undefined) throw new Error(`no file ${name}`)
          writeFileSync(file, damage(readFileSync(file)))
          await expectNothingLost(repo, session, before)
        }),
        { numRuns: RUNS },
      )
    })
})

/** @param before what the file held when the gate armed */
async function expectNothingLost(repo: Repo, session: Session, before: string): Promise<void> {
  const fixed = `${before}${FIX}`
  repo.write('src/edited.js', fixed)

  const answer = await session.check('PostToolUse')

  expect(answer.stderr).not.toContain('GATE_UNEXPECTED')
  const now = repo.read('src/edited.js')
  expect([before, fixed]).toContain(now)
  if (now === before) expect(keptTexts(session.stateFolder)).toContain(fixed)
}

/** What conversion and comparison of an armed tree read anew at each check. */
const OF_GIT = ['.gitattributes', '.git/info/attributes', '.git/config', '.git/index', '.git/HEAD']
const ATTRIBUTES =
  '*.js text eol=crlf ident\nsrc/*.txt -text working-tree-encoding=UTF-16LE\n[attr]mine filter=x\n'

describe('with damage in a file of git’s a call goes through or blocks, and no byte is lost:', () => {
  for (const name of OF_GIT)
    test(name, { timeout: 900_000 }, async ({ world }) => {
      const repo = world.repo('dirty-start')
      if (name.endsWith('attributes')) repo.write(name, ATTRIBUTES)
      const session = sessionInProcess(world, repo.folder)
      session.prompts('The total is wrong.').loads('investigate')
      await session.arm()
      const before = repo.read('src/edited.js')
      const good = repo.bytes(name)

      await fc.assert(
        fc.asyncProperty(damaged, async (damage) => {
          repo.write(name, damage(good))
          await expectNothingLost(repo, session, before)
          repo.write(name, good)
        }),
        { numRuns: RUNS },
      )
    })
})

function keptTexts(stateFolder: string): string[] {
  const folder = join(stateFolder, 'kept')
  return existsSync(folder) ? readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8')) : []
}
