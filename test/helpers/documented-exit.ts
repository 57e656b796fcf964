import { exitCodesOf } from '../../src/cli/exit-codes.ts'
import { PROGRAMS } from '../../src/cli/program.ts'
import type { Ran } from './world.ts'

/** Throws when a command ended with an exit code that its help and `docs/errors.md` do not have. */
export function expectDocumented(name: string, args: readonly string[], { exitCode, stderr }: Ran): void {
  const program = Object.values(PROGRAMS).find((each) => each.name === name)
  if (program === undefined || exitCode === undefined) return
  const command =
    program.commands.find((each) => each.name === args[0]) ??
    program.commands.find((each) => each.name === '')
  const codes = command === undefined ? [] : exitCodesOf(program, command).map(([code]) => code)
  if (command === undefined || codes.includes(exitCode)) return
  throw new Error(
    `${name} ${args.join(' ')} ended with ${String(exitCode)}, which is not documented: ${stderr}`,
  )
}
