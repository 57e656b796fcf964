import { ERROR_CODES, GateError, messageOf } from '../core/errors.ts'
import type { CliContext, Program } from './command.ts'

/** What happened and what to do, on standard error. */
export function printError(error: unknown, program: Program, context: CliContext): void {
  const code = codeOf(error)
  const told =
    code === 'GATE_UNEXPECTED' && error instanceof Error ? (error.stack ?? error.message) : messageOf(error)
  context.stderr(`${program.name}: ${code} ${told}\n${ERROR_CODES[code].fix}\n`)
}

/**
 * Codes that only hooks have exit with 0 there; a command that ends with one has failed.
 *
 * @param failed exit code of such a failure
 */
export function exitCodeOf(error: unknown, failed = 1): number {
  return ERROR_CODES[codeOf(error)].exit || failed
}

const codeOf = (error: unknown) => (error instanceof GateError ? error.code : 'GATE_UNEXPECTED')
