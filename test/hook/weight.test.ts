/** What a hook runs before it knows whether it has anything to do. Needs the build. */

import { existsSync, readFileSync } from 'node:fs'
import type { Metafile } from 'esbuild'
import { expect, test } from 'vitest'
import { PACKAGE } from '../helpers/world.ts'

/** Each costs over 10 ms to load. */
const HEAVY = ['cac', 'jsonc-parser', 'markdown-it', 'nodegit', 'stemmer', 'write-file-atomic', 'yaml']
/** Modules of Node that are not in its start-up snapshot; each costs 1.5 to 5 ms to load. */
const HEAVY_MODULES = ['node:child_process', 'node:crypto', 'node:fs/promises', 'node:stream']
/** A third more than it is; more than that is a file which should be imported lazily. */
const EAGER_BUDGET_BYTES = 35_000
const PROMPT_BUDGET_BYTES = 64_000

const readMeta = (name: string) => JSON.parse(readFileSync(`${PACKAGE}dist/${name}`, 'utf8')) as Metafile

/** Source files that run as soon as `entry` is imported, and the packages and modules of Node that they import at once. */
function eager({ inputs }: Metafile, ...entries: readonly string[]): { files: string[]; imports: string[] } {
  const files = new Set<string>()
  const imports = new Set<string>()
  const walk = (file: string) => {
    if (files.has(file)) return
    files.add(file)
    for (const { path, kind, external } of inputs[file]?.imports ?? []) {
      if (kind !== 'import-statement') continue
      if (external === true) imports.add(path)
      else walk(path)
    }
  }
  for (const entry of entries) walk(entry)
  return { files: [...files], imports: [...imports, ...[...files].flatMap((file) => packageOf(file) ?? [])] }
}

const packageOf = (file: string) => /(?:node_modules\/|package-)((?:@[^/]+\/)?[a-z-]+[a-z])/.exec(file)?.[1]

function bytesOf({ outputs }: Metafile, files: readonly string[]): number {
  const inputs = Object.values(outputs).flatMap((output) => Object.entries(output.inputs))
  return inputs.reduce(
    (sum, [file, { bytesInOutput }]) => sum + (files.includes(file) ? bytesInOutput : 0),
    0,
  )
}

const isHeavy = (name: string) => HEAVY.some((heavy) => name.includes(heavy)) || HEAVY_MODULES.includes(name)

const HOOKS = ['investigate-gate', 'ceo-review-gate', 'skill-route', 'skill-contract']

test.each(HOOKS)('%s loads nothing heavy before it knows that it needs it', (hook) => {
  const { files, imports } = eager(readMeta(`meta-${hook}.json`), 'src/entry/hook.ts')

  expect(files).toContain('src/hook/run.ts')
  expect(imports.filter(isHeavy)).toEqual([])
})

test.each(HOOKS)('what %s runs at once stays within its budget of bytes', (hook) => {
  const meta = readMeta(`meta-${hook}.json`)
  const bytes = bytesOf(meta, eager(meta, 'src/entry/hook.ts').files)

  expect(bytes).toBeGreaterThan(10_000)
  expect(bytes).toBeLessThan(EAGER_BUDGET_BYTES)
})

test('a prompt that routing looks at loads no heavy package but the stemmer', () => {
  const meta = readMeta('meta-skill-route.json')
  const { files, imports } = eager(meta, 'src/entry/hook.ts', 'src/hook/route.ts')

  expect(imports.filter(isHeavy)).toEqual(['stemmer'])
  expect(bytesOf(meta, files)).toBeLessThan(PROMPT_BUDGET_BYTES)
})

test('the script of a hook has nothing that only another hook runs', () => {
  const { inputs } = readMeta('meta-skill-route.json')

  expect(Object.keys(inputs)).toContain('src/hook/route.ts')
  expect(Object.keys(inputs).filter((file) => /^src\/(?:git|judge|hook\/contract)\//.test(file))).toEqual([])
})

test.each(HOOKS)('%s has a code cache of the script that it loads', (hook) => {
  const loader = readFileSync(`${PACKAGE}dist/hook.js`, 'utf8')
  const [script] = new RegExp(`${hook}-\\w+\\.js`).exec(loader) ?? []

  expect(existsSync(`${PACKAGE}dist/${script}-${process.version}.cache`)).toBe(true)
})

test('the command line loads its parser and the commands only when they are called', () => {
  const { files, imports } = eager(readMeta('meta.json'), 'src/entry/cli.ts')

  expect(files).toContain('src/cli/run.ts')
  expect(imports.filter((name) => HEAVY.includes(name))).toEqual([])
})
