/** What a hook loads before it knows whether it has anything to do. Needs the build. */

import { readFileSync } from 'node:fs'
import type { Metafile } from 'esbuild'
import { expect, test } from 'vitest'
import { PACKAGE } from '../helpers/world.ts'

/** Each costs over 10 ms to load. */
const HEAVY = ['cac', 'jsonc-parser', 'markdown-it', 'nodegit', 'stemmer', 'write-file-atomic', 'yaml']
/** About twice what it is; more than that is a file which should be imported lazily. */
const EAGER_BUDGET_BYTES = 60_000

const { outputs } = JSON.parse(readFileSync(`${PACKAGE}dist/meta.json`, 'utf8')) as Metafile

/** The outputs that start with `entry`, over static imports only. */
function eagerOutputs(entry: string): Metafile['outputs'][string][] {
  const seen = new Set<string>()
  const walk = (name: string) => {
    const output = outputs[name]
    if (output === undefined || seen.has(name)) return
    seen.add(name)
    for (const { path, kind } of output.imports) if (kind === 'import-statement') walk(path)
  }
  walk(Object.keys(outputs).find((name) => name.endsWith(`/${entry}`)) ?? '')
  return [...seen].flatMap((name) => outputs[name] ?? [])
}

const packagesOf = (output: Metafile['outputs'][string]) => [
  ...Object.keys(output.inputs).flatMap(
    (input) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? [],
  ),
  ...output.imports
    .filter(({ external, kind }) => external === true && kind === 'import-statement')
    .map(({ path }) => path),
]

test('the hook entry loads no heavy package before it knows that it needs one', () => {
  const packages = eagerOutputs('hook.js').flatMap(packagesOf)

  expect(packages.filter((name) => HEAVY.includes(name))).toEqual([])
})

test('the hook entry and what it loads at once stay within their budget of bytes', () => {
  const bytes = eagerOutputs('hook.js').reduce((sum, output) => sum + output.bytes, 0)

  expect(bytes).toBeGreaterThan(0)
  expect(bytes).toBeLessThan(EAGER_BUDGET_BYTES)
})

test('the command line loads its parser and the commands only when they are called', () => {
  const packages = eagerOutputs('cli.js').flatMap(packagesOf)

  expect(packages.filter((name) => HEAVY.includes(name))).toEqual([])
})
