/** `gstack-config`: config.yaml for people and scripts. Keys that are not ours pass through. */

import { GateError } from '../core/errors.ts'
import { parseSwitchValue, SWITCH_DEFAULT, SWITCH_NAMES, type SwitchName } from '../core/switches.ts'
import {
  configPath,
  hasConfigKey,
  isConfigKey,
  readConfigText,
  readConfigValue,
  setConfigValue,
} from '../store/config-file.ts'
import { stateRootFrom } from '../store/paths.ts'
import type { CliContext, CommandCall } from './command.ts'

/** Columns of a key and its colon in `list` and `defaults`. */
const KEY_COLUMNS = 24

/** Prints the value, or a switch's default, without a newline; exit 1 when there is neither. */
export function getConfig({ context, args: [key = ''] }: CommandCall): number {
  requireKey(key)
  requireReadable(context)
  const lookup = readConfigValue(stateRootFrom(context.env, context.home), key)
  const value = (lookup.kind === 'value' ? lookup.text : undefined) ?? defaultOf(key)
  if (value === undefined) return 1
  context.stdout(value)
  return 0
}

/** Exit 0 when the file has a line for the key. */
export function hasConfig({ context, args: [key = ''] }: CommandCall): number {
  requireKey(key)
  return hasConfigKey(requireReadable(context), key) ? 0 : 1
}

/** A value that one of our switches does not know is refused, and the old one stays. */
export async function setConfig({ context, args: [key = '', value = ''] }: CommandCall): Promise<number> {
  requireKey(key)
  if (value.trim() === '') throw new GateError('CONFIG_ERROR', `the value of ${key} is empty`)
  if (isSwitch(key) && parseSwitchValue(value) === undefined)
    throw new GateError('CONFIG_ERROR', `${key} takes on or off, not ${value}`)
  await setConfigValue(stateRootFrom(context.env, context.home), key, value)
  return 0
}

/** The file as it is, then every switch with its value and where that comes from. */
export function listConfig({ context }: CommandCall): number {
  const text = requireReadable(context)
  const root = stateRootFrom(context.env, context.home)
  const rows = SWITCH_NAMES.map((name) => {
    const lookup = readConfigValue(root, name)
    const value = lookup.kind === 'value' ? lookup.text : undefined
    return value === undefined ? `${row(name, SWITCH_DEFAULT[name])} (default)` : `${row(name, value)} (set)`
  })
  const file = Buffer.from(text, 'latin1').toString('utf8')
  context.stdout(`${file}\n# values in effect, before flags and environment\n${rows.join('\n')}\n`)
  return 0
}

export function configDefaults({ context }: CommandCall): number {
  const rows = SWITCH_NAMES.map((name) => row(name, SWITCH_DEFAULT[name]))
  context.stdout(`# defaults\n${rows.join('\n')}\n`)
  return 0
}

const row = (key: string, value: string): string => `  ${`${key}:`.padEnd(KEY_COLUMNS)}${value}`

const isSwitch = (key: string): key is SwitchName => Object.hasOwn(SWITCH_DEFAULT, key)

const defaultOf = (key: string): string | undefined => (isSwitch(key) ? SWITCH_DEFAULT[key] : undefined)

function requireKey(key: string): void {
  if (isConfigKey(key)) return
  throw new GateError(
    'CONFIG_ERROR',
    `${JSON.stringify(key)} is no key: letters, digits and underscores, and @endpoint`,
  )
}

/** @returns the text, empty when there is no file */
function requireReadable(context: CliContext): string {
  const root = stateRootFrom(context.env, context.home)
  const config = readConfigText(root)
  if (config.kind === 'unreadable')
    throw new GateError(
      'CONFIG_ERROR',
      `${configPath(root)} cannot be read, so every switch is off: ${config.why}`,
    )
  return config.kind === 'text' ? config.text : ''
}
