import type { CommandEntry, CommandOption, Program } from './command.ts'
import { exitCodesOf } from './exit-codes.ts'

const COMMON_OPTIONS: readonly CommandOption[] = [
  { flag: '-h, --help', summary: 'Show this text' },
  { flag: '-v, --version', summary: 'Show the version' },
]

/** The commands of a program, or the one it is. */
export function programHelp(program: Program): string {
  const commands = program.commands.map((command) => [signature(command), command.summary] as const)
  return sections([
    program.summary,
    `Usage:\n  ${program.name} <command> [options]`,
    titled('Commands', commands),
    titled('Options', optionRows(COMMON_OPTIONS)),
    `${program.name} <command> --help shows the options and examples of a command.`,
  ])
}

export function commandHelp(program: Program, command: CommandEntry): string {
  const options = [...(command.options ?? []), ...COMMON_OPTIONS]
  const usage = [program.name, signature(command), command.options ? '[options]' : '']
    .filter(Boolean)
    .join(' ')
  return sections([
    command.summary,
    `Usage:\n  ${usage}`,
    titled('Options', optionRows(options)),
    titled(
      'Exit codes',
      exitCodesOf(program, command).map(([code, meaning]) => [String(code), meaning]),
    ),
    command.examples && `Examples:\n${command.examples.map((example) => `  ${example}`).join('\n')}`,
  ])
}

const signature = (command: CommandEntry) => [command.name, command.args].filter(Boolean).join(' ')

const optionRows = (options: readonly CommandOption[]) =>
  options.map((option) => [option.flag, option.summary] as const)

function titled(title: string, rows: readonly (readonly [left: string, right: string])[]): string {
  const width = Math.max(...rows.map(([left]) => left.length))
  return `${title}:\n${rows.map(([left, right]) => `  ${left.padEnd(width)}  ${right}`).join('\n')}`
}

const sections = (parts: readonly (string | undefined)[]) => `${parts.filter(Boolean).join('\n\n')}\n`
