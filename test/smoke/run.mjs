/**
 * Starts the smoke: bundles `main.ts` into a temporary folder, since Node 20 runs no TypeScript, and runs it.
 *
 * @typedef {import('./main.ts')} Main
 */

import { build } from 'esbuild'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

const PACKAGE_ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

const folder = mkdtempSync(join(tmpdir(), 'gstack-smoke-bundle-'))
try {
  const bundle = join(folder, 'main.mjs')
  await build({
    entryPoints: [fileURLToPath(new URL('main.ts', import.meta.url))],
    outfile: bundle,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'esm',
    sourcemap: 'inline',
  })
  process.setSourceMapsEnabled(true)
  /** @type {Main} */
  const { main } = await import(pathToFileURL(bundle).href)
  process.exitCode = await main(process.argv.slice(2), process.env, PACKAGE_ROOT)
} finally {
  rmSync(folder, { recursive: true })
}
