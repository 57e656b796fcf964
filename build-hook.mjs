/**
 * Bundles the hooks so that they start fast (docs/decisions/0013-one-script-with-a-code-cache.md): for each hook all that
 * it can run in one script, packages that are loaded lazily in one file each, and a loader that hands V8 the script's code
 * cache.
 */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Each hook with what only it runs, as `src/hook/run.ts` imports that. */
const PARTS = {
  'investigate-gate': './investigate.ts',
  'ceo-review-gate': './ceo-review.ts',
  'skill-route': './route.ts',
  'skill-contract': './contract.ts',
}
export const HOOKS = Object.keys(PARTS)
/** What hooks import on few of their paths; a small package belongs into the script. */
const PACKAGES = ['markdown-it', 'yaml']

/** Writes the loader `hook.js`, the scripts and the packages. @returns the metafiles, that of the packages first */
export async function bundleHooks(build, common, work) {
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
  const scripts = {}
  const metafiles = [packages.metafile]
  for (const hook of HOOKS) {
    const { metafile, outputFiles } = await build({
      ...common,
      entryPoints: ['src/entry/hook.ts'],
      outdir: work,
      entryNames: hook,
      format: 'cjs',
      external: ['nodegit'],
      plugins: [keepApart(fileOf), leaveOut(Object.values(PARTS).filter((part) => part !== PARTS[hook]))],
      metafile: true,
      write: false,
    })
    const body = requireLate(toAscii(outputFiles[0].text))
    const script = `(function (require, module, exports, __filename, __dirname) {${body}\n})`
    scripts[hook] = `${hook}-${createHash('sha256').update(script).digest('hex').slice(0, 8)}.js`
    writeFileSync(join(work, scripts[hook]), script)
    metafiles.push(metafile)
  }
  writeFileSync(join(work, 'hook.js'), loaderOf(scripts))
  return metafiles
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

/** Imports of what other hooks run give nothing, since they are never reached. */
const leaveOut = (parts) => ({
  name: 'other-hooks-out',
  setup({ onResolve, onLoad }) {
    onResolve({ filter: /^\.\// }, ({ path, kind, importer }) =>
      kind === 'dynamic-import' && parts.includes(path) && importer.endsWith('/src/hook/run.ts')
        ? { path, namespace: 'left-out' }
        : undefined,
    )
    onLoad({ filter: /^/, namespace: 'left-out' }, () => ({ contents: '' }))
  },
})

/** esbuild escapes strings, but leaves regular expressions as they are. */
const toAscii = (text) =>
  text.replace(/[^\0-\x7f]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)

/** Modules that Node has loaded before it runs a script. */
const LOADED = new Set(['node:fs', 'node:path'])

/**
 * esbuild loads a module of Node where it is imported, and copies it for each file, so that it has a default export. Here
 * it is taken as it is, and loaded where it is used: a call uses few, and some take milliseconds.
 */
function requireLate(text) {
  const modules = new Map()
  const taken = text.replace(
    /\b(import_\w+) = (?:__toESM\()?require\("(node:[\w/]+)"\)(?:, 1\))?/g,
    (_, name, module) => {
      modules.set(name, module)
      return LOADED.has(module) ? `${name} = require("${module}")` : `${name} = void 0`
    },
  )
  return taken.replace(/\b(import_\w+)(?:\.default\b|(?=\.))/g, (whole, name) => {
    const module = modules.get(name)
    if (module === undefined) return whole
    return LOADED.has(module) ? name : `(require("${module}"))`
  })
}

/** Scripts are ASCII, so that one byte is one character. */
const loaderOf = (scripts) => `'use strict'
const { readFileSync } = require('node:fs')
const { Script } = require('node:vm')

const scripts = ${JSON.stringify(scripts)}
const filename = \`\${__dirname}/\${scripts[process.argv[2]] ?? scripts['${HOOKS[0]}']}\`
const script = new Script(readFileSync(filename, 'latin1'), { filename, cachedData: readCache() })
script.runInThisContext()(require, module, exports, __filename, __dirname)
void module.exports.main()

/** V8 takes no cache that another version of it made. */
function readCache() {
  try {
    return readFileSync(\`\${filename}-\${process.version}.cache\`)
  } catch {
    return undefined
  }
}
`

/** Makes the code caches that are missing, by calls of each hook in a folder of their own, and removes old ones. */
export function warmUp(dist) {
  const loader = join(dist, 'hook.js')
  if (!existsSync(loader)) return
  const text = readFileSync(loader, 'utf8')
  const wanted = HOOKS.flatMap((hook) => {
    const [script] = new RegExp(`${hook}-\\w+\\.js`).exec(text) ?? []
    return script === undefined ? [] : [{ hook, script, cache: `${script}-${process.version}.cache` }]
  })
  for (const { hook, script, cache } of wanted)
    if (!existsSync(join(dist, cache)))
      execFileSync(process.execPath, ['warm-up.mjs', join(dist, script), hook, join(dist, cache)])
  const kept = new Set(wanted.map(({ cache }) => cache))
  for (const name of readdirSync(dist))
    if (name.endsWith('.cache') && !kept.has(name)) rmSync(join(dist, name))
}
