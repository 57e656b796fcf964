/** The block for `claude --settings`: what registers the gates in a run that reads no settings.json. */

import { HOOK_TIMEOUT_S } from '../core/deadline.ts'
import { GateError } from '../core/errors.ts'
import { HOOK_OF_SWITCH, hooksBlock, type HookEntry } from '../core/registration.ts'
import { environmentNameOf, type SwitchName } from '../core/switches.ts'
import type { CommandCall } from './command.ts'

/** A settings file's part that turns gates on. */
export interface GateSettings {
  readonly hooks: Readonly<Record<string, readonly HookEntry[]>>
  readonly env: Readonly<Record<string, string>>
}

/** Prints `{hooks, env}` for the gates that are named. */
export function settings({ context, options }: CommandCall): number {
  const switches = [
    ...(options['investigate'] === true ? ['investigate_gate' as const] : []),
    ...(options['ceoReview'] === true ? ['ceo_review_gate' as const] : []),
  ]
  if (switches.length === 0)
    throw new GateError('SKILL_GATES_USAGE', 'name a gate: --investigate, --ceo-review or both')

  context.stdout(`${JSON.stringify(gateSettings(context.packageRoot, switches), undefined, 2)}\n`)
  return 0
}

/** @param packageRoot absolute path of the installed package */
export function gateSettings(packageRoot: string, switches: readonly SwitchName[]): GateSettings {
  return {
    hooks: hooksBlock(
      packageRoot,
      switches.map((name) => HOOK_OF_SWITCH[name]),
    ),
    env: Object.fromEntries(switches.map((name) => [environmentNameOf(name), 'on'])),
  }
}

export function hookTimeout({ context }: CommandCall): number {
  context.stdout(`${String(HOOK_TIMEOUT_S)}\n`)
  return 0
}
