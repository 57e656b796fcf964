/** Waivers, read from the Bash calls of a run: `gstack-skill-contract waive <item> --reason "<why>"`. */

import type { Call } from '../../transcript/contract-run.ts'
import { isFailed, mayWaive } from '../../transcript/contract-run.ts'
import { plainSkillName } from '../../transcript/skill-load.ts'
import { isPlaceholder } from '../placeholder.ts'
import { readShellCommands } from './shell-commands.ts'

/** Programs that may stand before the command without changing what it says. */
const CARRIERS = new Set(['env', 'command', 'exec', 'time', 'bash', 'sh', 'node', 'bun', 'sudo'])

/** Ids of the items that this run waived for its skill; a call that failed or gives no reason waives nothing. */
export function readWaivers(calls: readonly Call[], skill: string): ReadonlySet<string> {
  return new Set(
    calls.flatMap(({ tool, input, result }) => {
      const command = input['command']
      if (tool !== 'Bash' || typeof command !== 'string' || isFailed(result)) return []
      if (!mayWaive(command) || /^SKILL_CONTRACT_(?!MET)[A-Z]/m.test(result?.text ?? '')) return []
      return readShellCommands(command).flatMap(({ words }) => waivedItem(words, skill) ?? [])
    }),
  )
}

function waivedItem(words: readonly string[], skill: string): string | undefined {
  const at = words.findIndex((word) => /(?:^|[\\/])gstack-skill-contract$/.test(word))
  if (at === -1 || words[at + 1] !== 'waive' || !words.slice(0, at).every((word) => CARRIERS.has(word)))
    return undefined
  const { item, reason, named } = readArguments(words.slice(at + 2))
  if (item === undefined || !isReason(reason)) return undefined
  return named === undefined || plainSkillName(named) === skill ? item : undefined
}

/** A reason says something: it is neither missing nor the `<why>` of the block's text. */
export const isReason = (reason: string | undefined): reason is string =>
  reason !== undefined && !isPlaceholder(reason)

function readArguments(args: readonly string[]): { item?: string; reason?: string; named?: string } {
  const read: { item?: string; reason?: string; named?: string } = {}
  for (let index = 0; index < args.length; index += 1) {
    const [, option, inline] = /^--(reason|skill)(?:=([\s\S]*))?$/.exec(args[index] ?? '') ?? []
    if (option === undefined) {
      if (!(args[index] ?? '').startsWith('-')) read.item ??= args[index] ?? ''
      continue
    }
    if (inline === undefined) index += 1
    const value = inline ?? args[index]
    if (value === undefined || (inline === undefined && value.startsWith('--'))) continue
    if (option === 'reason') read.reason = value
    else read.named = value
  }
  return read
}
