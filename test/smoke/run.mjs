/**
 * Starts the smoke: `npm run smoke -- --help`.
 *
 * @typedef {import('./main.ts')} Main
 */

import { fileURLToPath } from 'node:url'
import { importBundled } from '../helpers/bundle.mjs'

const PACKAGE_ROOT = fileURLToPath(new URL('../..', import.meta.url)).replace(/\/$/, '')

/** @type {Main} */
const { main } = await importBundled(new URL('main.ts', import.meta.url))
process.exitCode = await main(process.argv.slice(2), process.env, PACKAGE_ROOT)
