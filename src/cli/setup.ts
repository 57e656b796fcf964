/**
 * `gstack-skill-gates setup`: flags into config.yaml, switches into registrations in settings.json. A flag is the
 * consent; each change is one line, and a run that changes nothing prints nothing.
 */

import { accessSync, constants } from 'node:fs'
import { GateError, isSystemError, messageOf } from '../core/errors.ts'
import {
  HOOK_NAMES,
  HOOK_OF_SWITCH,
  hookProgram,
  registrationsOf,
  type HookName,
} from '../core/registration.ts'
import {
  environmentNameOf,
  parseSwitchValue,
  resolveSwitch,
  SWITCH_DEFAULT,
  SWITCH_NAMES,
  type SwitchName,
  type SwitchValue,
} from '../core/switches.ts'
import { configPath, readConfigValue, setConfigValue } from '../store/config-file.ts'
import { stateRootFrom } from '../store/paths.ts'
import {
  planRegistrations,
  settingsFileFrom,
  writeRegistrations,
  type SettingsChange,
} from '../store/settings-file.ts'
import { findRegistrations } from '../store/settings-text.ts'
import type { CliContext, CommandCall } from './command.ts'
import { linkPrograms, unlinkPrograms } from './program-links.ts'
import { unifiedDiff } from './text-diff.ts'

interface Choice {
  readonly name: SwitchName
  readonly value: SwitchValue
  /** Whether a flag asked for it, so that it is saved. */
  readonly isFlag: boolean
}

export async function setup({ context, options }: CommandCall): Promise<number> {
  const isUninstall = options['uninstall'] === true
  const choices = SWITCH_NAMES.map((name) => chooseSwitch(name, flagText(options[flagKey(name)]), context))
  const hooks = choices.filter(({ value }) => value === 'on').map(({ name }) => HOOK_OF_SWITCH[name])
  const wanted = registrationsOf(context.packageRoot, isUninstall || options['team'] === false ? [] : hooks)
  if (wanted.length > 0) requireLauncher(context.packageRoot)

  const file = settingsFileFrom(context.env, context.home)
  const plan = planRegistrations(file, wanted)
  if (options['dryRun'] === true) {
    context.stdout(unifiedDiff(plan.before ?? '', plan.after ?? '', file))
    return 0
  }

  for (const choice of choices) if (choice.isFlag) await save(choice, context)
  tellChanges(await writeRegistrations(file, wanted, new Date()), file, context)
  if (isUninstall) unlinkPrograms(context)
  else linkPrograms(context)
  return 0
}

/** `skillRouting` for `--skill-routing`. */
const flagKey = (name: SwitchName): string =>
  name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase())

function flagText(flag: string | boolean | undefined): string | undefined {
  return typeof flag === 'boolean' ? (flag ? 'on' : 'off') : flag
}

/** Flag, environment, config, default; a word that is neither on nor off is told and counts as the default. */
function chooseSwitch(name: SwitchName, flag: string | undefined, context: CliContext): Choice {
  const lookup = readConfigValue(stateRootFrom(context.env, context.home), name)
  const fromEnvironment = context.env[environmentNameOf(name)]?.trim()
  const text = flag ?? (fromEnvironment || (lookup.kind === 'value' ? lookup.text : undefined))
  if (text !== undefined && parseSwitchValue(text) === undefined) {
    const fallback = SWITCH_DEFAULT[name]
    context.stderr(
      `setup: ${name} is ${JSON.stringify(text)}, neither on nor off; taken as ${fallback}, not saved\n`,
    )
    return { name, value: fallback, isFlag: false }
  }
  if (flag !== undefined) return { name, value: parseSwitchValue(flag) ?? SWITCH_DEFAULT[name], isFlag: true }

  const resolved = resolveSwitch(name, context.env, () => lookup)
  if (resolved.source === 'unreadable config')
    context.stderr(`setup: ${name} is off, since config.yaml cannot be read\n`)
  return { name, value: resolved.value, isFlag: false }
}

function requireLauncher(packageRoot: string): void {
  const program = hookProgram(packageRoot)
  try {
    accessSync(program, constants.X_OK)
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new GateError(
      'SETUP_FAILED',
      `nothing is registered, since the hook cannot be run: ${messageOf(error)}`,
    )
  }
}

async function save({ name, value }: Choice, { env, home, stdout }: CliContext): Promise<void> {
  const root = stateRootFrom(env, home)
  const lookup = readConfigValue(root, name)
  if (lookup.kind === 'value' && parseSwitchValue(lookup.text ?? '') === value) return
  await setConfigValue(root, name, value)
  stdout(`saved ${name}: ${value} in ${configPath(root)}\n`)
}

function tellChanges({ before, after }: SettingsChange, file: string, { stdout }: CliContext): void {
  for (const hook of HOOK_NAMES) {
    const [old, now] = [registeredAs(before, hook, file), registeredAs(after, hook, file)]
    if (old === now) continue
    if (old === '') stdout(`registered ${hook} in ${file}\n`)
    else if (now === '') stdout(`removed ${hook} from ${file}\n`)
    else stdout(`updated ${hook} in ${file}\n`)
  }
}

/** @returns equal texts for equal registrations, empty for none */
function registeredAs(text: string | undefined, hook: HookName, file: string): string {
  const found = text === undefined ? [] : findRegistrations(text, file)
  return found
    .filter((registration) => registration.hook === hook)
    .map((registration) => JSON.stringify(registration))
    .join('\n')
}
