/**
 * The suite on other versions of Node. Each is fetched from npm into a temporary folder, and the files of this folder
 * are set up and tested there with it: nodegit loads in no other Node than the one it was compiled for.
 *
 *   node test/node-versions.mjs [major...] [-- <arguments of vitest>]
 */

import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))
const MAJORS = ['22', '24']

const [majors, forVitest] = splitArguments(process.argv.slice(2))
const failed = majors.filter((major) => !isGreenOn(major))
console.log(failed.length === 0 ? `green on Node ${majors.join(', ')}` : `red on Node ${failed.join(', ')}`)
process.exitCode = failed.length === 0 ? 0 : 1

function splitArguments(words) {
  const end = words.indexOf('--')
  const named = end === -1 ? words : words.slice(0, end)
  return [named.length === 0 ? MAJORS : named, end === -1 ? [] : words.slice(end + 1)]
}

function isGreenOn(major) {
  const work = mkdtempSync(join(tmpdir(), `gstack-node-${major}-`))
  // Some tests run as another user.
  chmodSync(work, 0o755)
  try {
    const folder = copyPackage(join(work, 'package'))
    const env = environmentOf(fetchNode(major, join(work, 'node')))
    const run = (command, ...words) => execFileSync(command, words, { cwd: folder, env, stdio: 'inherit' })
    run('node', '--version')
    run('./setup')
    run('node', 'node_modules/vitest/vitest.mjs', 'run', ...forVitest)
    return true
  } catch (error) {
    console.error(`Node ${major}: ${error.message}`)
    return false
  } finally {
    rmSync(work, { recursive: true, force: true })
  }
}

/** What git tracks or would track, without anything that was built. */
function copyPackage(folder) {
  const words = ['ls-files', '-z', '--cached', '--others', '--exclude-standard']
  const names = execFileSync('git', words, { cwd: ROOT, encoding: 'utf8' }).split('\0')
  for (const name of names.filter((name) => name !== '' && existsSync(join(ROOT, name))))
    cpSync(join(ROOT, name), join(folder, name), { verbatimSymlinks: true })
  return folder
}

/** @returns the folder that holds `bin/node` and its headers */
function fetchNode(major, folder) {
  const { platform, arch } = process
  // The names under which npm's package `node` publishes its binaries.
  const name = `${platform === 'darwin' && arch === 'arm64' ? 'node-bin' : 'node'}-${platform}-${arch}`
  mkdirSync(folder)
  writeFileSync(join(folder, 'package.json'), '{}')
  const words = ['install', '--no-save', '--ignore-scripts', '--no-audit', '--no-fund', `${name}@${major}`]
  execFileSync('npm', words, { cwd: folder, stdio: 'inherit' })
  return join(folder, 'node_modules', name)
}

function environmentOf(node) {
  return {
    ...process.env,
    PATH: [join(node, 'bin'), process.env.PATH].join(delimiter),
    npm_config_nodedir: node,
  }
}
