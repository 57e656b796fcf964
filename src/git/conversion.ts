/**
 * How the repository converted content when the gate armed, pinned as a small git directory of ours: its settings,
 * `info/attributes`, the person's own attributes file, and the repository's objects as an alternate.
 */

import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import type { ConversionPins, FilterDriver } from '../core/baseline.ts'
import type { Deadline } from '../core/deadline.ts'
import type { Env } from '../core/env.ts'
import { hasErrno } from '../core/errors.ts'
import { native } from '../native/binding.ts'
import { digestOf } from '../native/digest.ts'
import { readRegularFile } from '../native/regular-file.ts'
import { withGit } from './libgit2.ts'
import { readGitConfiguration } from './plumbing.ts'

const CORE_DEFAULTS = { autocrlf: 'false', eol: 'native', ignorecase: 'false', precomposeunicode: 'false' }
const KEYS = String.raw`^(core\.(autocrlf|eol|attributesfile|ignorecase|precomposeunicode)|filter\..*)$`
/** Name of the pinned copy of what `core.attributesFile` names. */
const OWN_ATTRIBUTES = 'attributes'

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
  const attributes = readAttributeFiles(dirs.commonDir, values, using.env)
  const files: Readonly<Record<string, string | Buffer>> = {
    HEAD: 'ref: refs/heads/none\n',
    config: configText(values, path.join(folder, OWN_ATTRIBUTES)),
    'objects/info/alternates': `${quoteAlternate(path.join(dirs.commonDir, 'objects'))}\n`,
    'info/attributes': attributes.repository,
    [OWN_ATTRIBUTES]: attributes.own,
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
  return digestOfSettings(values, readAttributeFiles(dirs.commonDir, values, using.env))
}

function digestOfSettings(values: ReadonlyMap<string, string>, { repository, own }: AttributeFiles): string {
  const sorted = [...values].sort(([a], [b]) => (a < b ? -1 : 1))
  return digestOf(JSON.stringify([sorted, repository.length]), repository, own)
}

/** libgit2 does not see configuration that comes by the environment; git is asked then. */
async function readConfiguration(
  gitDir: string,
  using: { readonly env: Env; readonly deadline: Deadline },
): Promise<ReadonlyMap<string, string>> {
  const fromGit = hasConfigVariables(using.env) ? await readGitConfiguration(gitDir, KEYS, using) : undefined
  if (fromGit !== undefined) return fromGit
  return withGit(gitDir, (git) => new Map(native().configuration(git, KEYS)))
}

const hasConfigVariables = (env: Env): boolean =>
  [
    'GIT_CONFIG_GLOBAL',
    'GIT_CONFIG_SYSTEM',
    'GIT_CONFIG_NOSYSTEM',
    'GIT_CONFIG_COUNT',
    'GIT_CONFIG_PARAMETERS',
  ].some((name) => env[name] !== undefined)

/** Every setting is written, also as its default: an outer configuration that changes later must not shine through. */
function configText(values: ReadonlyMap<string, string>, ownAttributes: string): string {
  const core = Object.entries(CORE_DEFAULTS).map(([key, otherwise]) => [
    key,
    values.get(`core.${key}`) ?? otherwise,
  ])
  const lines = [...core, ['attributesfile', ownAttributes]].map(
    ([key = '', value = '']) => `\t${key} = ${quoteValue(value)}`,
  )
  return ['[core]', '\trepositoryformatversion = 0', '\tbare = true', ...lines, ''].join('\n')
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

interface AttributeFiles {
  /** `info/attributes` of the repository. */
  readonly repository: Buffer
  /** Of the person, for all repositories. */
  readonly own: Buffer
}

function readAttributeFiles(
  commonDir: string,
  values: ReadonlyMap<string, string>,
  { HOME = '/', XDG_CONFIG_HOME }: Env,
): AttributeFiles {
  const configHome =
    XDG_CONFIG_HOME === undefined || XDG_CONFIG_HOME === '' ? `${HOME}/.config` : XDG_CONFIG_HOME
  const own = values.get('core.attributesfile') ?? `${configHome}/git/attributes`
  return {
    repository: readAttributes(path.join(commonDir, 'info/attributes')),
    own: readAttributes(own.replace(/^~(?=\/)/, HOME)),
  }
}

/** What cannot be read counts as empty, as it does for git. */
function readAttributes(file: string): Buffer {
  try {
    return readRegularFile(file) ?? Buffer.alloc(0)
  } catch (error) {
    if (hasErrno(error, 'EACCES') || hasErrno(error, 'EISDIR') || hasErrno(error, 'ENOTREG'))
      return Buffer.alloc(0)
    throw error
  }
}
