/**
 * Compiles the front of the hooks, a program of its own, and puts it where the hooks are registered; where it cannot be
 * compiled the launcher of Node takes that place (docs/decisions/0012-the-front.md).
 */

import { execFile } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { cpus } from 'node:os'
import { basename, join } from 'node:path'
import { promisify } from 'node:util'

const run = promisify(execFile)

/** The registered command. */
const HOOK = 'bin/gstack-hook'
const LAUNCHER = 'bin/hook-launcher'
export const FRONT = 'build/Release/gstack-hook-front'

/** What the front shares with the addon; none of it knows JavaScript. */
const SHARED = [
  'byte_reader',
  'bytes',
  'compare_tree',
  'directory_chain',
  'file_io',
  'handed_scan',
  'index_walk',
  'large_memory',
  'mapped_file',
  'sha1',
  'sha1_block',
  'stat_row',
  'stat_table',
  'index_file',
  'tree_path',
].map((name) => `native/${name}.cc`)

const FLAGS = [
  '-std=c++17',
  '-O2',
  '-fno-exceptions',
  '-fno-rtti',
  '-Wall',
  '-Wextra',
  '-Wconversion',
  '-pthread',
]
/** In the order in which they are tried: without a loader the program starts in half the time. */
const LINKS =
  process.platform === 'darwin' ? [[]] : [['-static'], ['-static-libstdc++', '-static-libgcc'], []]

/**
 * @param sources files of `native/front/`
 * @param env environment of the compiler
 * @throws Error when the front cannot be compiled here
 */
export async function buildFront({ root, sources, env }) {
  const work = mkdtempSync(join(root, '.front-'))
  try {
    writeFileSync(join(work, 'front_names.h'), await headerText())
    const compiler = env.CXX ?? 'c++'
    const all = [...sources.filter((path) => path.endsWith('.cc')), ...SHARED]
    const objects = all.map((path) => join(work, path.replace(/\//g, '-').replace(/\.cc$/, '.o')))
    await eachOf(cpus().length, all, (path, index) =>
      run(compiler, [...FLAGS, '-I', work, '-c', path, '-o', objects[index]], { env }),
    )
    const made = join(work, basename(FRONT))
    await linkFirst(
      LINKS.map((link) => ['-pthread', ...link, ...objects, '-o', made]),
      compiler,
      env,
    )
    mkdirSync('build/Release', { recursive: true })
    renameSync(made, FRONT)
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** As many at a time as there are processors. */
async function eachOf(workers, items, act) {
  const left = items.entries()
  const work = async () => {
    for (const [index, item] of left) await act(item, index)
  }
  await Promise.all(Array.from({ length: workers }, work))
}

async function linkFirst([first, ...others], compiler, env) {
  try {
    await run(compiler, first, { env })
  } catch (error) {
    if (others.length === 0) throw error
    await linkFirst(others, compiler, env)
  }
}

/** The C++ header of the names that both sides share. */
async function headerText() {
  const { build } = await import('esbuild')
  const { outputFiles } = await build({
    entryPoints: ['src/entry/front-header.ts'],
    bundle: true,
    format: 'esm',
    platform: 'node',
    write: false,
  })
  const { frontHeader } = await import(
    `data:text/javascript;base64,${Buffer.from(outputFiles[0].contents).toString('base64')}`
  )
  return frontHeader()
}

/** Puts the front, or the launcher, where the hooks are registered; a hook that starts meanwhile finds one of them whole. */
export function installHook() {
  const made = `${HOOK}.new`
  copyFileSync(existsSync(FRONT) ? FRONT : LAUNCHER, made)
  chmodSync(made, 0o755)
  renameSync(made, HOOK)
}
