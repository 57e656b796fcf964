/** What a row of the command table in `program.ts` is made of, and what its action gets. */

import type { Env } from '../core/env.ts'
import type { GateErrorCode } from '../core/errors.ts'

export type ProgramName =
  | 'gstack-skill-gates'
  | 'gstack-skill-route'
  | 'gstack-skill-contract'
  | 'gstack-config'
  | 'gstack-slug'
  | 'gstack-session-kind'

/** The world that a command works in; nothing below reads it from the process. */
export interface CliContext {
  readonly env: Env
  readonly cwd: string
  /** The person's home directory: HOME, or the account's when that is unset. */
  readonly home: string
  /** Absolute folder of this package, no trailing slash. */
  readonly packageRoot: string
  /** Standard output is a terminal. */
  readonly isTerminal: boolean
  /** Writes as is: a line brings its own newline. */
  readonly stdout: (text: string) => void
  readonly stderr: (text: string) => void
}

export interface CommandOption {
  /** As help shows it: `--json`, `--session <id>`, `--skill-routing [value]`, `--no-team`. */
  readonly flag: string
  readonly summary: string
}

export interface CommandCall {
  readonly program: Program
  readonly context: CliContext
  /** Positional arguments as typed. */
  readonly args: readonly string[]
  /**
   * By camel-cased name: the text as typed, or true and false for a flag and its `--no-` form. Absent when not given.
   * An option given twice has its last value.
   */
  readonly options: Readonly<Record<string, string | boolean | undefined>>
}

export interface CommandEntry {
  /** Empty for a program that is one command. */
  readonly name: string
  /** `<key> <value>`, `[prompt]`, `[...rest]`; too few or too many arguments are a usage error. */
  readonly args?: string
  readonly summary: string
  readonly options?: readonly CommandOption[]
  /** Whole command lines. */
  readonly examples?: readonly string[]
  /** Exit code of a failure whose own row says none; 1 when not given. */
  readonly failed?: number
  /** What other exit codes say, or one of these two when it says more; `exit-codes.ts` has the rest. */
  readonly exits?: Readonly<Record<number, string>>
  /** @returns the exit code */
  readonly run: (call: CommandCall) => Promise<number>
}

export interface Program {
  readonly name: ProgramName
  readonly summary: string
  /** Code of an unknown command or option, or of a missing argument; its row says the exit code. */
  readonly usageCode: Extract<GateErrorCode, `${string}_USAGE`>
  readonly commands: readonly CommandEntry[]
}
