/**
 * Whether a Bash command runs a test, a check or a repro. It is read as a shell reads it (`shell-commands.ts`), so that
 * quoted words, here-documents and file names are no commands; what counts is in `programs.ts` and `wrappers.ts`.
 */

import {
  CHECK_FLAG,
  FORMATTERS,
  INTERPRETERS,
  PACKAGE_MANAGERS,
  PACKAGE_VERBS,
  PROGRAM_NAMING_VERBS,
  RUNNERS,
  SCRIPT_NAMING_VERBS,
  SHOWS_ONLY,
  SPECIAL_FORMS,
  TARGET_RUNNERS,
  TASK_VERBS,
  TEST_VERBS,
  TOOL_MODULES,
  VERB_VALUES,
  VERBS,
  wordsOf,
  type Interpreter,
  type Words,
} from './programs.ts'
import { readShellCommands } from './shell-commands.ts'
import { saysPreparing, saysTest } from './test-name.ts'
import { WRAPPERS, type Wrapper } from './wrappers.ts'

/** Command lines inside command lines deeper than this count for nothing. */
const DEEPEST_NESTING = 6

/** Shells: a script counts by its name, a command line by what it runs. */
const SHELLS = wordsOf('sh bash zsh dash ksh fish ash')
/** The shell's own `test` looks at files. */
const NEVER = wordsOf('test [ [[')
/** Only look something up, list, or prepare. */
const PROBES = wordsOf(`
  --version --help -version -help --usage --collect-only --collectonly --co --listTests --list-tests --list --no-run
  --dry-run --just-print --recon --init --clearCache --showConfig --show-config --print-config --env-info
`)
const LONE_PROBES = wordsOf('-V -h version help init install')
/** Where a lone -v is the version; elsewhere it is verbose. */
const SHORT_VERSION = wordsOf('jest vitest tsc vue-tsc eslint rspec stylelint make gmake go cargo')
interface Call {
  readonly words: readonly string[]
  readonly input: string | undefined
  readonly isPiped: boolean
  /** Its output is run by a shell: a download that installs. */
  readonly feedsShell: boolean
  readonly depth: number
}

/** @param line a command as the Bash tool gets it, of any length */
export const isTestCommand = (line: string): boolean => lineRunsTest(line, 0)

function lineRunsTest(line: string, depth: number): boolean {
  if (depth > DEEPEST_NESTING) return false
  const commands = readShellCommands(line)
  return commands.some((command, index) => {
    const next = commands[index + 1]
    const feedsShell = next?.isPiped === true && next.words.some((word) => SHELLS.has(programName(word)))
    return runsTest({ ...command, feedsShell, depth })
  })
}

function runsTest(call: Call): boolean {
  const [first, ...args] = call.words
  if (first === undefined || call.depth > DEEPEST_NESTING || NEVER.has(first)) return false
  const name = programName(first)
  if (SHELLS.has(name)) return shellRunsTest(call, args)
  if (name === 'source' || name === '.') return isTestScript(args[0] ?? '')
  const inner = { ...call, depth: call.depth + 1 }
  if (WRAPPERS[name]?.some((wrapper) => wrappedRunsTest(wrapper, name, args, inner)) === true) return true

  const interpreter = INTERPRETERS[name]
  if (interpreter !== undefined) return runsCode(name, interpreter, args, call)
  if (isProbe(name, args)) return false
  if (RUNNERS.has(name) || SPECIAL_FORMS[name]?.test(args.join(' ')) === true) return true
  const [verb, second] = positionals(name, args)
  if (hasVerb(name, verb, second)) return true
  if (FORMATTERS.has(name) && args.some((arg) => CHECK_FLAG.test(arg))) return true
  if (TASK_VERBS[name]?.has(verb ?? '') === true) return saysTest(second ?? '')
  if (name === 'bun' && bunRunsCode(args, verb, second)) return true
  if (PACKAGE_MANAGERS.has(name)) return packageManagerRunsTest(name, args, inner)
  if (TARGET_RUNNERS.has(name)) return positionals(name, args).some(saysTest)
  if (name === 'curl') return !call.feedsShell && asksUrl(args)
  return VERBS[name] === undefined && WRAPPERS[name] === undefined && isTestScript(first)
}

const hasVerb = (name: string, verb = '', second = ''): boolean =>
  VERBS[name]?.has(verb) === true || VERBS[name]?.has(`${verb} ${second}`) === true

function isProbe(name: string, args: readonly string[]): boolean {
  if (args.some((arg) => PROBES.has(arg) && !(FORMATTERS.has(name) && CHECK_FLAG.test(arg)))) return true
  if (args.some((arg) => SHOWS_ONLY[name]?.test(arg) === true)) return true
  const lone = args.length === 1 ? (args[0] ?? '') : ''
  return LONE_PROBES.has(lone) || (lone === '-v' && SHORT_VERSION.has(name))
}

/** `/usr/bin/python3.12`, `jest.js` and `phpunit.phar` are `python`, `jest` and `phpunit`. */
function programName(word: string): string {
  const file = word.slice(word.lastIndexOf('/') + 1)
  const bare = file
    .replace(/\.(?:exe|cmd|bat|phar|[cm]?js|py|rb|pl|sh)$/, '')
    .replace(/^(nodejs|pypy|py)(?=[\d.]*$)/, (alias) => (alias === 'nodejs' ? 'node' : 'python'))
  return bare.replace(/^([A-Za-z][A-Za-z-]*?)-?\d+(?:\.\d+)*$/, (whole, name: string) =>
    name in INTERPRETERS || RUNNERS.has(name) ? name : whole,
  )
}

/** Arguments that are neither options nor their values. */
function positionals(name: string, args: readonly string[]): string[] {
  const values = VERB_VALUES[name]
  return args.filter((arg, index) => {
    if (arg.startsWith('-') || /^\w+=/.test(arg) || (name === 'cargo' && arg.startsWith('+'))) return false
    return values?.has(args[index - 1] ?? '') !== true
  })
}

function wrappedRunsTest(wrapper: Wrapper, name: string, args: readonly string[], call: Call): boolean {
  let rest = args
  for (const verb of wrapper.verbs ?? []) {
    const index = indexOfFirst(rest, VERB_VALUES[name])
    if (rest[index] !== verb) return false
    rest = rest.slice(index + 1)
  }
  if (wrapper.until !== undefined) {
    const index = rest.indexOf(wrapper.until)
    return index !== -1 && runsTest({ ...call, words: rest.slice(index + 1) })
  }
  const line = wrapper.line === undefined ? undefined : valueOf(rest, wrapper.line)
  if (line !== undefined) return lineRunsTest(line, call.depth)

  const start = indexOfFirst(rest, wrapper.values) + (wrapper.skips ?? 0)
  const words = rest.slice(rest[start] === '--' ? start + 1 : start)
  if (words.length === 0) return wrapper.skips !== undefined && saysTest(rest[start - 1] ?? '')
  if (wrapper.joins !== undefined) return lineRunsTest(words.join(wrapper.joins), call.depth)
  return runsTest({ ...call, words })
}

/** Index of the first word that is no option, no option's value and no assignment. */
function indexOfFirst(words: readonly string[], values: Words | undefined): number {
  let index = 0
  for (; index < words.length; index += 1) {
    const word = words[index] ?? ''
    if (word === '--') return index + 1
    if (values?.has(word) === true) index += 1
    else if (!word.startsWith('-') && !/^[A-Za-z_]\w*=/.test(word)) return index
  }
  return index
}

/** Value of the first option that fits, written as the next word or behind `=`. */
function valueOf(words: readonly string[], option: RegExp): string | undefined {
  const index = words.findIndex((word) => option.test(word.split('=', 1)[0] ?? ''))
  if (index === -1) return undefined
  const word = words[index] ?? ''
  return word.includes('=') ? word.slice(word.indexOf('=') + 1) : words[index + 1]
}

function shellRunsTest(call: Call, args: readonly string[]): boolean {
  const line = valueOf(args, /^-[a-z]*c$/)
  if (line !== undefined) return lineRunsTest(line, call.depth + 1)
  if (args.includes('-n')) return false
  const script = args[indexOfFirst(args, new Set(['-o', '+o', '-O']))]
  if (script !== undefined && script !== '-') return isTestScript(script)
  return call.input !== undefined && lineRunsTest(call.input, call.depth + 1)
}

function packageManagerRunsTest(name: string, args: readonly string[], call: Call): boolean {
  const values = VERB_VALUES[name]
  const from = indexOfFirst(args, values)
  const [verb, ...rest] = args.slice(from)
  if (verb === undefined) return false
  if (TEST_VERBS.has(verb)) return true
  if (verb === 'workspace') return packageManagerRunsTest(name, rest.slice(1), call)
  if (verb === 'workspaces')
    return packageManagerRunsTest(name, rest.slice(Math.max(0, rest.indexOf('run'))), call)
  const program = () => runsTest({ ...call, words: rest.slice(indexOfFirst(rest, values)) })
  if (PROGRAM_NAMING_VERBS.has(verb)) {
    const line = valueOf(rest, /^(?:-c|--call|--shell-mode)$/)
    return line === undefined ? program() : lineRunsTest(line, call.depth)
  }
  if (SCRIPT_NAMING_VERBS.has(verb)) return saysTest(rest[indexOfFirst(rest, values)] ?? '') || program()
  if (PACKAGE_VERBS.has(verb)) return false
  return saysTest(verb) || runsTest({ ...call, words: [verb, ...rest] })
}

/** `bun file.ts` and `bun run file.ts` run a file as node does. */
function bunRunsCode(args: readonly string[], verb = '', second = ''): boolean {
  if (args.some((arg) => /^(?:-[pe]|--eval|--print)$/.test(arg))) return true
  const file = verb === 'run' ? second : verb
  return /\.[cm]?[jt]sx?$/.test(file) && !saysPreparing(file)
}

function runsCode(
  name: string,
  { code, values, edits }: Interpreter,
  args: readonly string[],
  call: Call,
): boolean {
  const module = name === 'python' ? args.indexOf('-m') : -1
  const script = indexOfFirst(args, values)
  if (module !== -1 && module <= script) return moduleRuns(args.slice(module + 1), call)
  const options = args.slice(0, script)
  if (options.some((option) => edits?.test(option) === true)) return false
  if (name === 'node' && options.includes('--run')) return saysTest(args[script] ?? '')
  if (options.some((option) => code.test(option))) return true
  const file = args[script]
  if (file === undefined || file === '-') return call.input !== undefined || call.isPiped
  return fileRuns(file, args.slice(script + 1), call)
}

function moduleRuns([module, ...rest]: readonly string[], call: Call): boolean {
  if (module === undefined || TOOL_MODULES.has(module)) return false
  return isKnown(module) ? runsTest({ ...call, words: [module, ...rest], depth: call.depth + 1 }) : true
}

/** A file of a known program is that program; any other is the project's code, unless it only prepares something. */
function fileRuns(file: string, rest: readonly string[], call: Call): boolean {
  if (isKnown(programName(file))) return runsTest({ ...call, words: [file, ...rest], depth: call.depth + 1 })
  return !saysPreparing(file)
}

const isKnown = (name: string): boolean =>
  RUNNERS.has(name) ||
  VERBS[name] !== undefined ||
  TARGET_RUNNERS.has(name) ||
  PACKAGE_MANAGERS.has(name) ||
  FORMATTERS.has(name) ||
  BUNDLERS.has(name)

/** Node programs that build when their file is run. */
const BUNDLERS = wordsOf('webpack vite rollup esbuild parcel tsup tsdown rspack swc babel')

/** Folders whose programs are tests, whatever they are called. */
const TEST_FOLDERS = wordsOf('test tests spec specs __tests__ e2e repro repros')

function isTestScript(word: string): boolean {
  if (saysPreparing(word) || /\.(?:json|md|txt|log|ya?ml|toml|html|csv)$/.test(word)) return false
  if (saysTest(word.slice(word.lastIndexOf('/') + 1))) return true
  return (
    !word.startsWith('/') &&
    word
      .split('/')
      .slice(0, -1)
      .some((folder) => TEST_FOLDERS.has(folder))
  )
}

const CURL_VALUES = wordsOf(`
  -o --output -H --header -d --data --data-raw --data-binary --data-urlencode --json -X --request -F --form -u --user
  -A --user-agent -b --cookie -c --cookie-jar -e --referer -T --upload-file -w --write-out -m --max-time
  --connect-timeout --retry --retry-delay -x --proxy --cacert --cert --key -K --config --resolve
`)

/** A URL with or without its scheme, or one that a variable holds. */
function asksUrl(args: readonly string[]): boolean {
  if (args.includes('--url')) return true
  return args.some(
    (arg, index) =>
      !arg.startsWith('-') &&
      !CURL_VALUES.has(args[index - 1] ?? '') &&
      /^(?:[a-z]+:\/\/|localhost\b|\[|[\w-]+(?:\.[\w-]+)+(?:[:/?]|$)|[\w-]+:\d|.*\$)/i.test(arg),
  )
}
