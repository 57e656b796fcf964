/** Is what is on registered, once and as it should be? */

import { accessSync, constants } from 'node:fs'
import { HOOK_TIMEOUT_S } from '../../core/deadline.ts'
import { GateError, isSystemError, messageOf } from '../../core/errors.ts'
import { HOOK_OF_SWITCH, hookProgram, registrationsOf, type Registration } from '../../core/registration.ts'
import {
  environmentNameOf,
  parseSwitchValue,
  resolveSwitch,
  SWITCH_NAMES,
  type SwitchName,
} from '../../core/switches.ts'
import { configPath, readConfigText, readConfigValue } from '../../store/config-file.ts'
import { stateRootFrom } from '../../store/paths.ts'
import { readSettings, settingsFileFrom } from '../../store/settings-file.ts'
import { findRegistrations, type FoundRegistration } from '../../store/settings-text.ts'
import type { CliContext } from '../command.ts'
import { note, ok, problem, type Finding } from './finding.ts'

const PLUGIN_NAME = 'gstack-skill-gates'
const RUN_SETUP = 'Run gstack-skill-gates setup.'

export interface SettingsCheck {
  readonly findings: readonly Finding[]
  /** Ours, as the file has them. */
  readonly registered: readonly FoundRegistration[]
}

export function checkRegistrations(context: CliContext): SettingsCheck {
  const file = settingsFileFrom(context.env, context.home)
  const settings = parseSettings(file)
  const switches = SWITCH_NAMES.flatMap((name) => checkSwitch(name, context))
  if (settings.problem !== undefined)
    return { findings: [...checkConfig(context), ...switches, settings.problem], registered: [] }

  const { text, registered } = settings
  return {
    findings: [
      ...checkConfig(context),
      ...switches,
      ok('settings.json', text === undefined ? `there is no ${file}` : `${file} parses`),
      ...(disablesHooks(text)
        ? [problem('settings.json', 'disableAllHooks is true', `Remove disableAllHooks from ${file}.`)]
        : []),
      ...SWITCH_NAMES.flatMap((name) =>
        checkHook(name, { registered, isPlugin: enablesPlugin(text) }, context),
      ),
    ],
    registered,
  }
}

function parseSettings(file: string) {
  try {
    const text = readSettings(file)
    const registered = text === undefined ? [] : findRegistrations(text, file)
    return { text, registered, problem: undefined }
  } catch (error) {
    if (!(error instanceof GateError)) throw error
    return {
      problem: problem(
        'settings.json',
        messageOf(error),
        `Repair ${file} by hand; the backups beside it may help.`,
      ),
    }
  }
}

/** Whether the file enables the plugin, whatever marketplace it came from; `claude --plugin-dir` leaves no trace. */
function enablesPlugin(text: string | undefined): boolean {
  if (text === undefined) return false
  const { enabledPlugins } = JSON.parse(text.replace(/^\ufeff/, '')) as {
    enabledPlugins?: Readonly<Record<string, unknown>> | null
  }
  return Object.entries(enabledPlugins ?? {}).some(
    ([name, value]) => name.startsWith(`${PLUGIN_NAME}@`) && value === true,
  )
}

function disablesHooks(text: string | undefined): boolean {
  if (text === undefined) return false
  const settings = JSON.parse(text.replace(/^\ufeff/, '')) as { disableAllHooks?: unknown }
  return settings.disableAllHooks === true
}

function checkConfig({ env, home }: CliContext): Finding[] {
  const root = stateRootFrom(env, home)
  const config = readConfigText(root)
  if (config.kind !== 'unreadable') return []
  const found = `${configPath(root)} cannot be read, so what no environment turns on is off: ${config.why}`
  return [problem('config.yaml', found, 'Make it a readable file.')]
}

/** A word that is neither on nor off is the default to every hook, without a message. */
function checkSwitch(name: SwitchName, { env, home }: CliContext): Finding[] {
  const lookup = readConfigValue(stateRootFrom(env, home), name)
  const places = [
    [environmentNameOf(name), env[environmentNameOf(name)]?.trim()],
    ['config.yaml', lookup.kind === 'value' ? lookup.text : undefined],
  ] as const
  return places.flatMap(([place, text]) =>
    text === undefined || text === '' || parseSwitchValue(text) !== undefined
      ? []
      : [problem(name, `its value in ${place} is ${text}, neither on nor off`, 'Set it to on or off.')],
  )
}

function checkHook(
  name: SwitchName,
  { registered, isPlugin }: { registered: readonly FoundRegistration[]; isPlugin: boolean },
  context: CliContext,
): Finding[] {
  const { env, home, packageRoot } = context
  const hook = HOOK_OF_SWITCH[name]
  const { value, source } = resolveSwitch(name, env, () => readConfigValue(stateRootFrom(env, home), name))
  const ours = registered.filter((found) => found.hook === hook)
  if (value === 'off')
    return [
      note(
        hook,
        `${name} is off (${source})${ours.length === 0 ? '' : ', its hook is registered all the same'}`,
      ),
    ]

  if (isPlugin && ours.length === 0)
    return [ok(hook, `${name} is on (${source}) and registered by the plugin`)]
  const findings = registrationsOf(packageRoot, [hook]).flatMap((wanted) =>
    checkRegistration(
      wanted,
      ours.filter(({ event }) => event === wanted.event),
      packageRoot,
    ),
  )
  return findings.length > 0 ? findings : [ok(hook, `${name} is on (${source}) and registered once`)]
}

function checkRegistration(
  wanted: Registration,
  found: readonly FoundRegistration[],
  packageRoot: string,
): Finding[] {
  const { hook, event, entry } = wanted
  const [first] = found
  if (first === undefined) return [problem(hook, `it is not registered for ${event}`, RUN_SETUP)]

  const { timeout, matcher, program } = first
  const wrong = [
    ...(found.length > 1 ? [`it is registered ${String(found.length)} times for ${event}`] : []),
    ...(typeof timeout === 'number' && timeout >= HOOK_TIMEOUT_S
      ? []
      : [`its timeout for ${event} is ${String(timeout)}, under ${String(HOOK_TIMEOUT_S)} seconds`]),
    ...((matcher ?? '') === (entry.matcher ?? '')
      ? []
      : [`its matcher for ${event} is ${matcher ?? 'missing'}`]),
    ...whyNotRunnable(program).map((why) => `its command for ${event} cannot be run: ${why}`),
  ]
  const findings = wrong.map((what) => problem(hook, what, RUN_SETUP))
  const isElsewhere = findings.length === 0 && program !== hookProgram(packageRoot)
  return isElsewhere
    ? [note(hook, `${event} runs ${program}, which is another installation than this`)]
    : findings
}

function whyNotRunnable(program: string): string[] {
  try {
    accessSync(program, constants.X_OK)
    return []
  } catch (error) {
    if (!isSystemError(error)) throw error
    return [messageOf(error)]
  }
}
