/**
 * `config.yaml` of the state root, read and written line by line as gstack does: `key: value` at column 0, the last
 * line of a key wins, no quotes, no nesting, no trailing comments. It is not parsed as YAML, so every other line stays
 * as its owner wrote it. Text is latin1 here, one character per byte; values are decoded on their way out.
 */

import { mkdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { GateError, isMissing, isSystemError, messageOf } from '../core/errors.ts'
import type { ConfigLookup } from '../core/switches.ts'
import { withDirectoryLock } from './directory-lock.ts'
import { isLink } from './link.ts'

/** Written before the first value of a new file. */
const HEADER = `# gstack configuration: one "key: value" per line, the last line of a key wins.
# gstack-config list shows every value; gstack-config set <key> <value> changes one.

`

export type ConfigText =
  | { readonly kind: 'text'; readonly text: string }
  | { readonly kind: 'missing' }
  | { readonly kind: 'unreadable'; readonly why: string }

export const configPath = (stateRoot: string): string => join(stateRoot, 'config.yaml')

/** Letters, digits and underscores, and an endpoint behind `@`. */
export const isConfigKey = (key: string): boolean => /^[A-Za-z0-9_]+(@[A-Za-z0-9]+)?$/.test(key)

/**
 * Looks one key up; cheap enough for every hook call.
 *
 * @param key a valid config key
 * @returns a `text` of undefined when the key is absent or its value is empty
 */
export function readConfigValue(stateRoot: string, key: string): ConfigLookup {
  const config = readConfigText(stateRoot)
  if (config.kind === 'unreadable') return { kind: 'unreadable' }
  if (config.kind === 'missing') return { kind: 'value', text: undefined }
  const value = valueLines(config.text, key).at(-1)
  return { kind: 'value', text: value === '' ? undefined : value }
}

/** Whether the key has a line, with or without a value. */
export const hasConfigKey = (text: string, key: string): boolean => valueLines(text, key).length > 0

/** Reads the file as it is. Anything but a regular file is unreadable, and so is a link that leads nowhere. */
export function readConfigText(stateRoot: string): ConfigText {
  const path = configPath(stateRoot)
  try {
    if (!statSync(path).isFile()) return { kind: 'unreadable', why: 'it is not a regular file' }
    return { kind: 'text', text: readFileSync(path, 'latin1') }
  } catch (error) {
    if (!isMissing(error)) return { kind: 'unreadable', why: messageOf(error) }
    return isLink(path) ? { kind: 'unreadable', why: 'it is a link that leads nowhere' } : { kind: 'missing' }
  }
}

/**
 * Sets a key: all its lines get the value, or one line is appended. Only the value's first line is kept, without the
 * blanks around it. Concurrent calls wait for each other; a link is followed; the file's mode stays, a new file is 0600.
 *
 * @throws GateError CONFIG_ERROR when the file cannot be read, locked or written; it is then left as it was
 */
export async function setConfigValue(stateRoot: string, key: string, value: string): Promise<void> {
  const path = configPath(stateRoot)
  try {
    mkdirSync(stateRoot, { recursive: true, mode: 0o700 })
    const { replaceUserFile } = await import('./user-file.ts')
    await withDirectoryLock(`${path}.lock`, async (lock) => {
      const config = readConfigText(stateRoot)
      if (config.kind === 'unreadable')
        throw new GateError('CONFIG_ERROR', `${path} cannot be read: ${config.why}.`)
      const text = withValue(config.kind === 'text' ? config.text : HEADER, key, value)
      lock.check()
      await replaceUserFile(path, Buffer.from(text, 'latin1'))
    })
  } catch (error) {
    const isLocked = error instanceof GateError && error.code === 'GATE_LOCKED'
    if (!isLocked && !isSystemError(error)) throw error
    throw new GateError('CONFIG_ERROR', `${key} could not be saved to ${path}: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

function valueLines(text: string, key: string): string[] {
  return text
    .replace(/^\u00ef\u00bb\u00bf/, '')
    .split('\n')
    .filter((line) => line.startsWith(`${key}:`))
    .map((line) =>
      Buffer.from(line.slice(key.length + 1), 'latin1')
        .toString('utf8')
        .trim(),
    )
}

function withValue(text: string, key: string, value: string): string {
  const line = Buffer.from(`${key}: ${firstLine(value)}`, 'utf8').toString('latin1')
  if (hasConfigKey(text, key)) {
    const everyLineOfKey = new RegExp(`^(\\u00ef\\u00bb\\u00bf)?${key}:[^\\r\\n]*`, 'gm')
    return text.replace(
      everyLineOfKey,
      (_, byteOrderMark: string | undefined) => (byteOrderMark ?? '') + line,
    )
  }
  const lineEnd = /\r?\n/.exec(text)?.[0] ?? '\n'
  const isLastLineOpen = text !== '' && !text.endsWith('\n')
  return `${text}${isLastLineOpen ? lineEnd : ''}${line}${lineEnd}`
}

const firstLine = (value: string): string => value.split(/[\r\n]/, 1)[0]?.trim() ?? ''
