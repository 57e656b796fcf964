/**
 * How the repository converted content when the gate armed, pinned as a small git directory of ours: its settings and
 * `info/attributes`, and the repository's objects as an alternate.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ConversionPins, FilterDriver } from '../core/baseline.ts'
import type { Deadline } from '../core/deadline.ts'
import type { Env } from '../core/env.ts'
import { native } from '../native/binding.ts'
import { digestOf } from '../native/digest.ts'
import { initLibgit2 } from './libgit2.ts'
import { readGitConfiguration } from './plumbing.ts'
import { readIfThere } from './read-file.ts'

const CORE_KEYS = [
  'core.autocrlf',
  'core.eol',
  'core.attributesfile',
  'core.ignorecase',
  'core.precomposeunicode',
]
const KEYS = String.raw`^(core\.(autocrlf|eol|attributesfile|ignorecase|precomposeunicode)|filter\..*)$`

/** @param folder where the git directory is made; what is there goes first */
export async function pinConversion(
  dirs: { readonly gitDir: string; readonly commonDir: string },
  folder: string,
  using: { readonly env: Env; readonly deadline: Deadline },
): Promise<ConversionPins> {
  const values = await readConfiguration(dirs.gitDir, using)
  rmSync(folder, { recursive: true, force: true })
  for (const name of ['info', 'objects/info', 'refs'])
    mkdirSync(path.join(folder, name), { recursive: true, mode: 0o700 })
  const attributes = readInfoAttributes(dirs.commonDir)
  const files: Readonly<Record<string, string | Buffer>> = {
    HEAD: 'ref: refs/heads/none\n',
    config: configText(values),
    'objects/info/alternates': `${quoteAlternate(path.join(dirs.commonDir, 'objects'))}\n`,
    'info/attributes': attributes,
  }
  for (const [name, content] of Object.entries(files))
    writeFileSync(path.join(folder, name), content, { mode: 0o600 })
  return { gitDir: folder, digest: digestOfSettings(values, attributes), drivers: driversOf(values) }
}

/** Stands for the settings as they are now, to be held against the pinned ones. */
export async function conversionNow(
  dirs: { readonly gitDir: string; readonly commonDir: string },
  using: { readonly env: Env; readonly deadline: Deadline },
): Promise<string> {
  const values = await readConfiguration(dirs.gitDir, using)
  return digestOfSettings(values, readInfoAttributes(dirs.commonDir))
}

function digestOfSettings(values: ReadonlyMap<string, string>, attributes: Buffer): string {
  const sorted = [...values].sort(([a], [b]) => (a < b ? -1 : 1))
  return digestOf(JSON.stringify(sorted), attributes)
}

/** libgit2 does not see configuration that comes by the environment; git is asked then. */
async function readConfiguration(
  gitDir: string,
  using: { readonly env: Env; readonly deadline: Deadline },
): Promise<ReadonlyMap<string, string>> {
  const fromGit = hasConfigVariables(using.env) ? await readGitConfiguration(gitDir, KEYS, using) : undefined
  if (fromGit !== undefined) return fromGit
  initLibgit2()
  const git = native().openGit({ gitDir })
  try {
    return new Map(native().configuration(git, KEYS))
  } finally {
    native().closeGit(git)
  }
}

const hasConfigVariables = (env: Env): boolean =>
  [
    'GIT_CONFIG_GLOBAL',
    'GIT_CONFIG_SYSTEM',
    'GIT_CONFIG_NOSYSTEM',
    'GIT_CONFIG_COUNT',
    'GIT_CONFIG_PARAMETERS',
  ].some((name) => env[name] !== undefined)

function configText(values: ReadonlyMap<string, string>): string {
  const lines = ['[core]', '\trepositoryformatversion = 0', '\tbare = true']
  for (const key of CORE_KEYS) {
    const value = values.get(key)
    // Set either way: an outer configuration that changes later must not shine through.
    if (value !== undefined) lines.push(`\t${key.slice('core.'.length)} = ${quoteValue(value)}`)
    else if (key === 'core.autocrlf') lines.push('\tautocrlf = false')
    else if (key === 'core.eol') lines.push('\teol = native')
  }
  return `${lines.join('\n')}\n`
}

const quoteValue = (value: string): string =>
  `"${value.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n').replace(/\t/g, '\\t')}"`

/** A line of the file is a path, or one in C quotes when it starts with a quote. */
const quoteAlternate = (folder: string): string =>
  /^["#]|\n/.test(folder) ? `"${folder.replace(/[\\"]/g, '\\$&').replace(/\n/g, '\\n')}"` : folder

function driversOf(values: ReadonlyMap<string, string>): Readonly<Record<string, FilterDriver>> {
  const drivers: Record<string, FilterDriver> = {}
  for (const [key, value] of values) {
    const match = /^filter\.(.*)\.(clean|smudge|process)$/s.exec(key)
    if (match?.[1] === undefined || match[2] === undefined || value === '') continue
    drivers[match[1]] = { ...drivers[match[1]], [match[2]]: value }
  }
  return drivers
}

const readInfoAttributes = (commonDir: string): Buffer =>
  readIfThere(path.join(commonDir, 'info/attributes')) ?? Buffer.alloc(0)
