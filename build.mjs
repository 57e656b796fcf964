/**
 * Builds `dist/` (one CommonJS bundle per entry; what is imported lazily stands in chunks of its own) and the addon.
 *
 * Each is made in a temporary folder and renamed in file by file, entries last, so that a hook which starts meanwhile
 * finds one whole build, the old or the new. A part whose inputs have not changed since is left alone.
 *
 *   node build.mjs [--no-native]
 */

import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleHooks, HOOKS, warmUp } from './build-hook.mjs'
import { buildFront, FRONT, installHook } from './build-front.mjs'

const ROOT = dirname(fileURLToPath(import.meta.url))
const ENTRIES = ['hook', 'cli']
const METAFILES = ['meta.json', 'meta-packages.json', ...HOOKS.map((hook) => `meta-${hook}.json`)]
const TARGET = 'node20'
const ADDON = 'gstack_gates.node'
/** Where ccache keeps its compiler links: Debian, Fedora, Homebrew on both Macs. */
const CCACHE_FOLDERS = [
  '/usr/lib/ccache',
  '/usr/lib64/ccache',
  '/opt/homebrew/opt/ccache/libexec',
  '/usr/local/opt/ccache/libexec',
]

process.chdir(ROOT)
await buildScripts()
if (!process.argv.includes('--no-native')) {
  buildAddon()
  await buildHook()
}
installHook()
warmUp('dist')

async function buildScripts() {
  const stamp = stampOf(
    ['build.mjs', 'build-hook.mjs', 'warm-up.mjs', 'package-lock.json', ...filesBelow('src')],
    process.execPath,
  )
  const isWhole = ENTRIES.every((entry) => existsSync(`dist/${entry}.js`))
  if (isWhole && readText('dist/stamp') === stamp) return

  const { build, transform } = await import('esbuild')
  const work = mkdtempSync(join(ROOT, '.dist-'))
  try {
    const common = {
      bundle: true,
      platform: 'node',
      target: TARGET,
      define: { 'import.meta.dirname': '__dirname', 'import.meta.filename': '__filename' },
      legalComments: 'none',
    }
    const { metafile, outputFiles } = await build({
      ...common,
      entryPoints: ['src/entry/cli.ts'],
      outdir: work,
      splitting: true,
      format: 'esm',
      // ESM before UMD, whose `require` calls a bundler cannot follow.
      mainFields: ['module', 'main'],
      external: ['nodegit'],
      loader: { '.html': 'text', '.css': 'text' },
      chunkNames: '[name]-[hash]',
      metafile: true,
      write: false,
    })
    const hookFiles = await bundleHooks(build, common, work)
    for (const { path, text } of outputFiles) writeFileSync(path, await toCommonJs(transform, text))
    writeFileSync(join(work, 'package.json'), '{ "type": "commonjs" }\n')
    for (const [at, meta] of [metafile, ...hookFiles].entries())
      writeFileSync(join(work, METAFILES[at]), JSON.stringify(meta))
    writeFileSync(join(work, 'node-path'), `${process.execPath}\n`)
    writeFileSync(join(work, 'stamp'), stamp)
    installScripts(work)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  console.log('built dist/')
}

/** esbuild splits ESM only, and CommonJS starts faster (docs/decisions/0001-commonjs-bundles.md). */
async function toCommonJs(transform, text) {
  const { code } = await transform(text, {
    // As an .mjs file is read: the default import of a CommonJS package is its `module.exports`.
    sourcefile: 'chunk.mjs',
    format: 'cjs',
    platform: 'node',
    target: TARGET,
    supported: { 'dynamic-import': false },
  })
  return code
}

/** Chunks of the last build stay for hooks that still run it; those of the one before go. */
function installScripts(work) {
  mkdirSync('dist', { recursive: true })
  const last = lastOutputs()
  const isEntry = (name) => ENTRIES.some((entry) => name === `${entry}.js`)
  const names = readdirSync(work).sort((a, b) => Number(isEntry(a)) - Number(isEntry(b)))
  for (const name of names) renameSync(join(work, name), join('dist', name))

  const kept = new Set([...names, ...last])
  for (const name of readdirSync('dist')) if (!kept.has(name)) rmSync(join('dist', name), { recursive: true })
}

function lastOutputs() {
  return METAFILES.flatMap((name) => {
    const text = readText(`dist/${name}`)
    return text === undefined ? [] : Object.keys(JSON.parse(text).outputs).map((path) => basename(path))
  })
}

function buildAddon() {
  const target = `build/Release/${ADDON}`
  const abi = `${process.versions.modules} ${process.platform} ${process.arch}`
  const headers = 'node_modules/nodegit/package.json'
  const stamp = stampOf(
    ['binding.gyp', headers, ...filesBelow('native').filter((path) => !path.startsWith('native/front/'))],
    abi,
  )
  if (existsSync(target) && readText('build/Release/stamp') === stamp) return

  const work = mkdtempSync(join(ROOT, '.build-'))
  try {
    for (const name of ['binding.gyp', 'native', 'node_modules', 'package.json'])
      symlinkSync(join(ROOT, name), join(work, name))
    compile(work)
    mkdirSync('build/Release', { recursive: true })
    renameSync(join(work, target), target)
    writeFileSync('build/Release/stamp', stamp)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
  console.log(`built ${target}`)
}

/** Without the front every hook call starts Node, and everything else is as it was. */
async function buildHook() {
  const stamp = stampOf(
    ['build-front.mjs', ...filesBelow('native'), ...filesBelow('src/core'), 'src/entry/front-header.ts'],
    process.arch,
  )
  if (existsSync(FRONT) && readText('build/Release/front-stamp') === stamp) return
  try {
    await buildFront({ root: ROOT, sources: filesBelow('native/front'), env: compilerEnv() })
    writeFileSync('build/Release/front-stamp', stamp)
    console.log(`built ${FRONT}`)
  } catch (error) {
    rmSync(FRONT, { force: true })
    console.log(
      'the front could not be compiled, so each hook call starts Node:',
      error.stderr ?? error.message,
    )
  }
}

function compile(directory) {
  const command = ['node_modules/node-gyp/bin/node-gyp.js', 'rebuild', '--directory', directory]
  try {
    execFileSync(process.execPath, command, { env: compilerEnv(), stdio: 'pipe' })
  } catch (error) {
    process.stderr.write(`${error.stdout}${error.stderr}`)
    throw new Error('the addon could not be compiled; what the compiler said stands above', { cause: error })
  }
}

function compilerEnv() {
  const ccache = CCACHE_FOLDERS.filter((folder) => existsSync(folder))
  const headers = join(dirname(dirname(process.execPath)), 'include/node/node.h')
  return {
    ...process.env,
    PATH: [...ccache, process.env.PATH].join(':'),
    // Node's own headers, where they stand beside it, save a download.
    ...(existsSync(headers) && {
      npm_config_nodedir: process.env.npm_config_nodedir ?? dirname(dirname(process.execPath)),
    }),
  }
}

function stampOf(paths, extra) {
  const hash = createHash('sha256').update(extra)
  for (const path of paths) hash.update(`\0${path}\0`).update(readFileSync(path))
  return hash.digest('hex')
}

function filesBelow(folder) {
  return readdirSync(folder, { recursive: true })
    .map((name) => join(folder, name))
    .filter((path) => statSync(path).isFile())
    .sort()
}

function readText(path) {
  return existsSync(path) ? readFileSync(path, 'utf8') : undefined
}
