/**
 * How Claude Code is told about the hooks: which events, which matcher, which timeout, which command line. `settings`
 * prints it for headless runs and setup writes it into settings.json. A command line reaches the model with every
 * block, so it names no switch.
 */

import { HOOK_TIMEOUT_S } from './deadline.ts'
import type { SwitchName } from './switches.ts'

export type HookName = 'investigate-gate' | 'ceo-review-gate' | 'skill-contract' | 'skill-route'

export interface HookEntry {
  readonly matcher?: string
  readonly hooks: readonly [{ readonly type: 'command'; readonly command: string; readonly timeout: number }]
}

export interface Registration {
  readonly event: string
  readonly hook: HookName
  readonly entry: HookEntry
}

/** The hook that each switch turns on. */
export const HOOK_OF_SWITCH: Readonly<Record<SwitchName, HookName>> = {
  skill_routing: 'skill-route',
  skill_contracts: 'skill-contract',
  investigate_gate: 'investigate-gate',
  ceo_review_gate: 'ceo-review-gate',
}

export const HOOK_NAMES = Object.values(HOOK_OF_SWITCH)

/** MultiEdit is gone from today's client; older ones still call it. */
const EDITS_BASH_AND_LOADS = 'Edit|Write|MultiEdit|NotebookEdit|Bash|Skill'

const EVENTS: Readonly<Record<HookName, readonly { readonly event: string; readonly matcher?: string }[]>> = {
  'investigate-gate': [
    { event: 'PreToolUse', matcher: EDITS_BASH_AND_LOADS },
    { event: 'PostToolUse', matcher: 'Bash' },
    { event: 'PostToolUseFailure', matcher: 'Bash' },
    { event: 'Stop' },
  ],
  'ceo-review-gate': [{ event: 'Stop' }, { event: 'SubagentStop' }],
  'skill-contract': [{ event: 'Stop' }],
  'skill-route': [{ event: 'UserPromptSubmit' }],
}

/**
 * The entries that turn these hooks on, in the order of `hooks`.
 *
 * @param packageRoot absolute path of the installed package
 */
export const registrationsOf = (packageRoot: string, hooks: readonly HookName[]): readonly Registration[] =>
  registrationsWith((hook) => hookCommand(packageRoot, hook), hooks)

function registrationsWith(
  commandOf: (hook: HookName) => string,
  hooks: readonly HookName[],
): readonly Registration[] {
  return hooks.flatMap((hook) =>
    EVENTS[hook].map(({ event, matcher }) => ({
      event,
      hook,
      entry: {
        ...(matcher === undefined ? {} : { matcher }),
        hooks: [{ type: 'command' as const, command: commandOf(hook), timeout: HOOK_TIMEOUT_S }] as const,
      },
    })),
  )
}

type HooksBlock = Readonly<Record<string, readonly HookEntry[]>>

/** The `hooks` value of a settings file that turns exactly these hooks on. */
export const hooksBlock = (packageRoot: string, hooks: readonly HookName[]): HooksBlock =>
  blockOf(registrationsOf(packageRoot, hooks))

/** What `hooks/hooks.json` holds: every hook, since a plugin is installed as a whole and the switches decide. */
export const pluginHooks = (): HooksBlock =>
  blockOf(registrationsWith((hook) => `"\${CLAUDE_PLUGIN_ROOT}"/bin/gstack-hook ${hook}`, HOOK_NAMES))

function blockOf(registrations: readonly Registration[]): HooksBlock {
  const block: Record<string, HookEntry[]> = {}
  for (const { event, entry } of registrations) (block[event] ??= []).push(entry)
  return block
}

export const hookProgram = (packageRoot: string): string => `${packageRoot}/bin/gstack-hook`

export const hookCommand = (packageRoot: string, hook: HookName): string =>
  `${quoteForShell(hookProgram(packageRoot))} ${hook}`

/**
 * Reads a command line back: the program and the hook it starts, from wherever the package was installed then.
 *
 * @returns undefined when the command is not one of ours
 */
export function parseHookCommand(
  command: string,
): { readonly program: string; readonly hook: HookName } | undefined {
  const words = shellWords(command)
  if (words === undefined) return undefined
  const [program, name, ...rest] = words[0] === 'bash' || words[0] === 'sh' ? words.slice(1) : words
  const hook = HOOK_NAMES.find((known) => known === name)
  if (program?.endsWith('/bin/gstack-hook') !== true || hook === undefined || rest.length > 0)
    return undefined
  return { program, hook }
}

/** One word for `/bin/sh`, as it is when no character of it means anything to a shell. */
export function quoteForShell(word: string): string {
  if (/^[A-Za-z0-9_./@%+=:,-]+$/.test(word)) return word
  return `'${word.replaceAll("'", "'\\''")}'`
}

/** @returns undefined when the line does more than start one program with plain arguments */
function shellWords(line: string): string[] | undefined {
  const word = /(?:[^\s'"\\$`;&|<>()*?[\]#~!{}]|\\[^\n]|'[^']*'|"(?:[^"\\$`]|\\[^\n])*")+/y
  const words: string[] = []
  let at = 0
  for (;;) {
    at += /^\s*/.exec(line.slice(at))?.[0].length ?? 0
    if (at === line.length) return words
    word.lastIndex = at
    const match = word.exec(line)?.[0]
    if (match === undefined) return undefined
    words.push(unquote(match))
    at += match.length
    if (at < line.length && !/\s/.test(line.charAt(at))) return undefined
  }
}

function unquote(word: string): string {
  return word.replace(
    /'([^']*)'|"((?:[^"\\]|\\.)*)"|\\(.)/gs,
    (_, single?: string, double?: string, escaped?: string) => {
      if (single !== undefined) return single
      if (double !== undefined) return double.replace(/\\([\\"$`])/g, '$1')
      return escaped ?? ''
    },
  )
}
