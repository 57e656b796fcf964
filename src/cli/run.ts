/** One call of a program: finds its row in `program.ts`, reads the options, runs the action, turns errors into text. */

import type { CAC } from 'cac'

import { asGateError, GateError, isBelow } from '../core/errors.ts'
import { statePathsFrom } from '../store/paths.ts'
import type { CliContext, CommandEntry, CommandOption, Program } from './command.ts'
import { exitCodeOf, printError } from './exit.ts'
import { commandHelp, programHelp } from './help.ts'
import { PROGRAMS } from './program.ts'
import { versionOf } from './version.ts'

/**
 * @param name the program as launched
 * @param argv its arguments, without Node and script
 * @returns the exit code
 */
export async function runProgram(
  name: string,
  argv: readonly string[],
  context: CliContext,
): Promise<number> {
  const program = Object.values(PROGRAMS).find((candidate) => candidate.name === name)
  if (program === undefined) {
    context.stderr(`no program ${name}; there are ${Object.keys(PROGRAMS).join(', ')}\n`)
    return 1
  }

  try {
    return await runCommand(program, argv, context)
  } catch (thrown) {
    const { root } = statePathsFrom(context.env, context.home)
    const error = isBelow(thrown, root) ? asGateError(thrown, root) : thrown
    printError(error, program, context)
    return exitCodeOf(error, findCommand(program, argv)?.failed)
  }
}

async function runCommand(program: Program, argv: readonly string[], context: CliContext): Promise<number> {
  const asksForHelp = argv.includes('--help') || argv.includes('-h')
  const command = findCommand(program, argv)

  if (asksForHelp) {
    context.stdout(command === undefined ? programHelp(program) : commandHelp(program, command))
    return 0
  }
  // Behind the program or the name of a command; further on it may be a value.
  const first = argv[0] === command?.name ? argv[1] : argv[0]
  if (first === '--version' || first === '-v') {
    context.stdout(`${program.name} ${versionOf(context.packageRoot)}\n`)
    return 0
  }
  if (command === undefined) throw new GateError(program.usageCode, unknownCommand(program, argv[0]))

  const call = await parse(program, command, argv)
  return command.run({ program, context, ...call })
}

function findCommand(program: Program, argv: readonly string[]): CommandEntry | undefined {
  return (
    program.commands.find((command) => command.name !== '' && command.name === argv[0]) ??
    program.commands.find((command) => command.name === '')
  )
}

function unknownCommand(program: Program, typed: string | undefined): string {
  const names = program.commands.map((command) => command.name).join(', ')
  return typed === undefined ? `name a command: ${names}` : `there is no command ${typed}; there are ${names}`
}

async function parse(program: Program, command: CommandEntry, typed: readonly string[]) {
  const argv = joinValues(typed, command.options ?? [])
  const { cac } = await import('cac')
  const cli = cac(program.name)
  const parser = cli.command([command.name, command.args].filter(Boolean).join(' '), command.summary)
  for (const option of command.options ?? []) parser.option(option.flag, option.summary)
  cli.parse(['node', program.name, ...argv], { run: false })

  try {
    parser.checkUnknownOptions()
    parser.checkOptionValue()
    parser.checkRequiredArgs()
  } catch (error) {
    if (error instanceof Error && error.name === 'CACError')
      throw new GateError(program.usageCode, plainMessage(error.message))
    throw error
  }
  const most = parser.args.some((arg) => arg.variadic) ? Infinity : parser.args.length
  if (cli.args.length > most)
    throw new GateError(program.usageCode, `unexpected argument ${cli.args.slice(most).join(' ')}`)

  return { args: [...cli.args], options: typedOptions(cli, command.options ?? [], argv) }
}

const plainMessage = (message: string): string => message.replaceAll('`', '')

/**
 * `--explain "- fix it"` as `--explain=- fix it`: a value that an option needs may start with a dash. Flags of the command
 * may stand between the two.
 */
function joinValues(argv: readonly string[], options: readonly CommandOption[]): string[] {
  const needsValue = new Set(options.map(({ flag }) => /^(--[a-z-]+) </.exec(flag)?.[1]))
  const flags = new Set(options.map(({ flag }) => flag).filter((flag) => !/[ [<]/.test(flag)))
  const joined: string[] = []
  for (let at = 0; at < argv.length; at++) {
    const word = argv[at] ?? ''
    let valueAt = at + 1
    while (needsValue.has(word) && flags.has(argv[valueAt] ?? '')) valueAt++
    const value = argv[valueAt]
    if (!needsValue.has(word) || value === undefined) {
      joined.push(word)
      continue
    }
    joined.push(`${word}=${value}`, ...argv.slice(at + 1, valueAt))
    at = valueAt
  }
  return joined
}

/**
 * cac makes numbers of what looks like one, lists of what is given twice, and true of a `--no-x` that is not given; here
 * the text as typed counts, and the last one.
 */
function typedOptions(cli: CAC, options: readonly CommandOption[], argv: readonly string[]) {
  const typed: Record<string, string | boolean | undefined> = {}
  for (const { flag } of options) {
    const name = /--(?:no-)?([a-z-]+)/.exec(flag)?.[1] ?? ''
    const index = argv.findLastIndex((word) => new RegExp(`^--(no-)?${name}(=|$)`).test(word))
    const word = argv[index]
    if (word === undefined) continue
    const value = [cli.options[camelCase(name)] as unknown].flat().at(-1)
    if (word.startsWith(`--${name}=`)) typed[camelCase(name)] = word.slice(name.length + 3)
    else typed[camelCase(name)] = typeof value === 'boolean' ? value : argv[index + 1]
  }
  return typed
}

const camelCase = (name: string): string =>
  name.replace(/-([a-z])/g, (_, letter: string) => letter.toUpperCase())
