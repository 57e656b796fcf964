/**
 * Starts the smoke: bundles `main.ts`, since Node 20 runs no TypeScript, and runs it.
 *
 * @typedef {import('./main.ts')} Bundled
 */

import { build } from 'esbuild'
import { fileURLToPath } from 'node:url'

const { outputFiles } = await build({
  entryPoints: [fileURLToPath(new URL('main.ts', import.meta.url))],
  bundle: true,
  write: false,
  platform: 'node',
  target: 'node20',
  format: 'esm',
})
/** @type {Bundled} */
const { main } = await import(
  `data:text/javascript;base64,${Buffer.from(outputFiles[0].text).toString('base64')}`
)
const packageRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
process.exitCode = await main(process.argv.slice(2), process.env, packageRoot)
