import type { Env } from './env.ts'

export type SwitchValue = 'on' | 'off'
export type SwitchName = 'skill_routing' | 'skill_contracts' | 'investigate_gate' | 'ceo_review_gate'

/** The only place where the defaults stand. */
export const SWITCH_DEFAULT: Readonly<Record<SwitchName, SwitchValue>> = {
  skill_routing: 'off',
  skill_contracts: 'off',
  investigate_gate: 'off',
  ceo_review_gate: 'off',
}

export const SWITCH_NAMES = Object.keys(SWITCH_DEFAULT) as readonly SwitchName[]

export type SwitchSource = 'flag' | 'environment' | 'config' | 'default' | 'unreadable config'

/** A switch's value in config.yaml; `unreadable` when the file is there and cannot be read. */
export type ConfigLookup =
  { readonly kind: 'value'; readonly text: string | undefined } | { readonly kind: 'unreadable' }

export interface ResolvedSwitch {
  readonly value: SwitchValue
  readonly source: SwitchSource
}

/** `GSTACK_INVESTIGATE_GATE` for `investigate_gate`, and so on. */
export const environmentNameOf = (name: SwitchName): string => `GSTACK_${name.toUpperCase()}`

/** @returns undefined for anything but the words that mean on or off */
export function parseSwitchValue(text: string): SwitchValue | undefined {
  switch (text.trim().toLowerCase()) {
    case 'on':
    case 'yes':
    case 'true':
    case '1':
      return 'on'
    case 'off':
    case 'no':
    case 'false':
    case '0':
      return 'off'
    default:
      return undefined
  }
}

/**
 * Resolves a switch: environment, then config, then default; the setup flag is saved to config and so arrives there.
 * A word that means neither on nor off counts as the default. An unreadable config file means off, since it may hold an
 * off that its owner set.
 *
 * @param readConfig called only when the environment leaves the switch open
 */
export function resolveSwitch(name: SwitchName, env: Env, readConfig: () => ConfigLookup): ResolvedSwitch {
  const fallback = { value: SWITCH_DEFAULT[name], source: 'default' } as const
  const fromEnvironment = env[environmentNameOf(name)]
  if (fromEnvironment !== undefined && fromEnvironment.trim() !== '') {
    const value = parseSwitchValue(fromEnvironment)
    return value === undefined ? fallback : { value, source: 'environment' }
  }

  const config = readConfig()
  if (config.kind === 'unreadable') return { value: 'off', source: 'unreadable config' }
  if (config.text === undefined || config.text === '') return fallback
  const value = parseSwitchValue(config.text)
  return value === undefined ? fallback : { value, source: 'config' }
}
