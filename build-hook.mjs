/**
 * Bundles the hooks' entry so that it starts fast (docs/decisions/0013-one-script-with-a-code-cache.md): all of our code
 * in one script, packages that are loaded lazily in one file each, and a loader that hands V8 the script's code cache.
 */

import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** What hooks import on few of their paths; a small package belongs into the script. */
const PACKAGES = ['markdown-it', 'yaml']
/** Hooks that Node answers, each with a cache of the functions that it runs. */
const HOOKS = ['investigate-gate', 'ceo-review-gate', 'skill-route', 'skill-contract']
const SCRIPT = /^hook-\w+\.js$/

/** Writes the loader `hook.js`, the script and the packages. @returns the metafiles of both */
export async function bundleHook(build, common, work) {
  const packages = await build({
    ...common,
    entryPoints: PACKAGES,
    outdir: work,
    entryNames: 'package-[name]-[hash]',
    format: 'cjs',
    // A default import of CommonJS is its `module.exports`, and esbuild makes a property of a default export.
    footer: { js: 'if (module.exports.default !== undefined) module.exports = module.exports.default' },
    metafile: true,
  })
  const fileOf = new Map(
    Object.keys(packages.metafile.outputs).map((path) => [packageOf(path), `./${basename(path)}`]),
  )
  const { metafile, outputFiles } = await build({
    ...common,
    entryPoints: ['src/entry/hook.ts'],
    outdir: work,
    entryNames: 'hook-[hash]',
    format: 'cjs',
    external: ['nodegit'],
    plugins: [keepApart(fileOf)],
    metafile: true,
    write: false,
  })
  const [{ path, text }] = outputFiles
  writeFileSync(path, `(function (require, module, exports, __importMetaUrl) {${toAscii(text)}\n})`)
  writeFileSync(join(work, 'hook.js'), loaderOf(basename(path)))
  return [packages.metafile, metafile]
}

const packageOf = (path) => PACKAGES.find((name) => basename(path).startsWith(`package-${name}-`))

const keepApart = (fileOf) => ({
  name: 'packages-apart',
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^(${PACKAGES.join('|')})$`) }, ({ path }) => ({
      path: fileOf.get(path),
      external: true,
    }))
  },
})

/** esbuild escapes strings, but leaves regular expressions as they are. */
const toAscii = (text) =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** The script is ASCII, so that one byte is one character. */
const loaderOf = (script) => `'use strict'
const { readFileSync } = require('node:fs')
const { Script } = require('node:vm')
const { pathToFileURL } = require('node:url')

const filename = \`\${__dirname}/${script}\`
const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData: readCache() })
script.runInThisContext()(require, module, exports, pathToFileURL(__filename).href)
void module.exports.main()

/** V8 takes no cache that another version of it made. */
function readCache() {
  const [, , hook] = process.argv
  if (!${JSON.stringify(HOOKS)}.includes(hook)) return undefined
  try {
    return readFileSync(\`\${filename}.\${hook}-\${process.version}.cache\`)
  } catch {
    return undefined
  }
}
`

/** Makes the code caches that are missing, by calls of each kind in a folder of their own, and removes old ones. */
export function warmUp(dist) {
  const script = readdirSync(dist).find((name) => SCRIPT.test(name) && existsSync(join(dist, 'hook.js')))
  if (script === undefined) return
  const wanted = HOOKS.map((hook) => ({ hook, cache: `${script}.${hook}-${process.version}.cache` }))
  for (const { hook, cache } of wanted)
    if (!existsSync(join(dist, cache)))
      execFileSync(process.execPath, ['warm-up.mjs', join(dist, script), hook, join(dist, cache)])
  const kept = new Set(wanted.map(({ cache }) => cache))
  for (const name of readdirSync(dist))
    if (name.endsWith('.cache') && !kept.has(name)) rmSync(join(dist, name))
}
