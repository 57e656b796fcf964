import { ERROR_CODES } from '../core/errors.ts'
import type { CommandEntry, Program } from './command.ts'

/**
 * Every exit code that a command can end with, for its help and for `docs/errors.md`.
 *
 * @returns rising, each with what it means
 */
export function exitCodesOf(program: Program, command: CommandEntry): readonly (readonly [number, string])[] {
  const meanings = new Map<number, string[]>([[0, ['done']]])
  const add = (code: number, meaning: string): void => {
    meanings.set(code, [...(meanings.get(code) ?? []), meaning])
  }
  for (const [code, meaning] of Object.entries(command.exits ?? {})) add(Number(code), meaning)
  add(ERROR_CODES[program.usageCode].exit, 'a bad argument')
  add(command.failed ?? 1, 'it failed; standard error says why')
  return [...meanings].map(([code, said]) => [code, said.join(', or ')] as const).sort(([a], [b]) => a - b)
}
