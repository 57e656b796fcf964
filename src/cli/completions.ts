/** Shell completions of every program, from the command table alone. */

import { GateError } from '../core/errors.ts'
import type { CommandCall, CommandEntry, Program, ProgramName } from './command.ts'

const SHELLS = { bash: bashScript, zsh: zshScript, fish: fishScript } as const

/** Prints the completions of all programs for one shell. */
export function completions({ context, args }: CommandCall, programs: readonly Program[]): number {
  const [shell = ''] = args
  if (!Object.hasOwn(SHELLS, shell))
    throw new GateError(
      'SKILL_GATES_USAGE',
      `completions are for ${Object.keys(SHELLS).join(', ')}, not ${shell}`,
    )
  context.stdout(SHELLS[shell as keyof typeof SHELLS](programs.map(wordsOf)))
  return 0
}

interface Words {
  readonly name: ProgramName
  /** What may stand first: commands, or the options of a program that is one command. */
  readonly first: readonly Word[]
  readonly commands: readonly { readonly name: string; readonly options: readonly Word[] }[]
}

interface Word {
  readonly word: string
  readonly summary: string
  /** A file's name follows it. */
  readonly takesFile?: boolean
}

const EVERYWHERE: readonly Word[] = [{ word: '--help', summary: 'Show help' }]

function wordsOf({ name, commands }: Program): Words {
  const named = commands.filter((command) => command.name !== '')
  const only = commands.find((command) => command.name === '')
  return {
    name,
    first: [
      ...named.map(({ name: word, summary }) => ({ word, summary })),
      ...(only === undefined ? [] : optionsOf(only)),
      ...EVERYWHERE,
      { word: '--version', summary: 'Show the version' },
    ],
    commands: named.map((command) => ({
      name: command.name,
      options: [...optionsOf(command), ...EVERYWHERE],
    })),
  }
}

const optionsOf = ({ options = [] }: CommandEntry): Word[] =>
  options.map(({ flag, summary }) => ({
    word: flag.split(' ')[0] ?? flag,
    summary,
    takesFile: /<(file|path)>/.test(flag),
  }))

/** One word for a shell, in single quotes, as all three read them. */
const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

const join = (words: readonly Word[]): string => words.map(({ word }) => word).join(' ')

const fileOptions = ({ first, commands }: Words): readonly string[] => [
  ...new Set(
    [...first, ...commands.flatMap(({ options }) => options)]
      .filter(({ takesFile }) => takesFile)
      .map(({ word }) => word),
  ),
]

function bashScript(programs: readonly Words[]): string {
  return programs
    .map((program) => {
      const files = fileOptions(program)
      const cases = program.commands.map(
        ({ name, options }) => `    ${name}) words=${quote(join(options))} ;;`,
      )
      return [
        `_${underscored(program.name)}() {`,
        '  local word=${COMP_WORDS[COMP_CWORD]} words',
        '  COMPREPLY=()',
        ...(files.length === 0
          ? []
          : [
              `  case \${COMP_WORDS[COMP_CWORD - 1]} in ${files.join('|')}) compopt -o default; return ;; esac`,
            ]),
        '  case ${COMP_WORDS[1]} in',
        ...cases,
        `    *) words=${quote(join(program.first))} ;;`,
        '  esac',
        `  [ "$COMP_CWORD" -gt 1 ] || words=${quote(join(program.first))}`,
        '  COMPREPLY=($(compgen -W "$words" -- "$word"))',
        '}',
        `complete -F _${underscored(program.name)} ${program.name}`,
        '',
      ].join('\n')
    })
    .join('\n')
}

function zshScript(programs: readonly Words[]): string {
  const described = (words: readonly Word[]) =>
    words.map(({ word, summary }) => quote(`${word.replaceAll(':', '\\:')}:${summary}`)).join(' ')
  const functions = programs.map((program) => {
    const files = fileOptions(program)
    return [
      `_${underscored(program.name)}() {`,
      '  local -a words_here',
      ...(files.length === 0
        ? []
        : [`  case $words[CURRENT-1] in ${files.join('|')}) _files; return ;; esac`]),
      '  case $words[2] in',
      ...program.commands.map(({ name, options }) => `    ${name}) words_here=(${described(options)}) ;;`),
      `    *) words_here=(${described(program.first)}) ;;`,
      '  esac',
      `  (( CURRENT > 2 )) || words_here=(${described(program.first)})`,
      "  _describe 'word' words_here",
      '}',
      `compdef _${underscored(program.name)} ${program.name}`,
      '',
    ].join('\n')
  })
  return `#compdef ${programs.map(({ name }) => name).join(' ')}\n\n${functions.join('\n')}`
}

function fishScript(programs: readonly Words[]): string {
  const line = (name: string, condition: string, { word, summary, takesFile }: Word) => {
    const what = word.startsWith('--')
      ? `-l ${word.slice(2)}${takesFile === true ? ' -r -F' : ''}`
      : `-a ${word}`
    return `complete -c ${name} -n ${quote(condition)} ${what} -d ${quote(summary)}`
  }
  return programs
    .map(({ name, first, commands }) => {
      const names = commands.map((command) => command.name).join(' ')
      const isFirst = names === '' ? 'true' : `not __fish_seen_subcommand_from ${names}`
      return [
        `complete -c ${name} -f`,
        ...first.map((word) => line(name, isFirst, word)),
        ...commands.flatMap((command) =>
          command.options.map((word) => line(name, `__fish_seen_subcommand_from ${command.name}`, word)),
        ),
        '',
      ].join('\n')
    })
    .join('\n')
}

const underscored = (name: string): string => name.replaceAll('-', '_')
