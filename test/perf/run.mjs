/**
 * Starts the benchmark: `npm run bench -- --help`.
 *
 * @typedef {import('./main.ts')} Main
 */

import { fileURLToPath } from 'node:url'
import { importBundled } from '../helpers/bundle.mjs'

/** @type {Main} */
const { main } = await importBundled(new URL('main.ts', import.meta.url))
const packageRoot = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')
process.exitCode = main(process.argv.slice(2), packageRoot)
