/**
 * The one table of error codes. `docs/errors.md` is generated from it, and a message that reaches a person ends with
 * the fix that stands here.
 */

import { oneLine } from './printable.ts'

export interface ErrorCode {
  /** What went wrong, as the docs put it. */
  readonly cause: string
  /** What the person can do about it. */
  readonly fix: string
  /** Exit code of the command that ends with it; hooks always exit 0. */
  readonly exit: number
}

export const ERROR_CODES = {
  GATE_BAD_PAYLOAD: {
    cause:
      'The hook input is not a JSON object with the fields a hook needs, or is over 1 MiB once long strings are cut.',
    fix: 'Claude Code may have changed its format: update gstack.',
    exit: 0,
  },
  GATE_TRANSCRIPT: {
    cause:
      'The transcript is missing, over 32 MiB, or not a shape the parser knows, or the /plan-ceo-review load has no timestamp.',
    fix: 'Start a new session; if it stays, update gstack.',
    exit: 0,
  },
  GATE_TIMEOUT: {
    cause: 'The hook ran past its deadline.',
    fix: 'A very large dirty tree or a slow disk: raise GSTACK_SKILL_GATE_DEADLINE_MS (at most 20000).',
    exit: 0,
  },
  GATE_GIT: {
    cause: 'A git operation failed, a file of the repository could not be read, or HEAD stopped resolving.',
    fix: 'Run the named git command in the repository.',
    exit: 0,
  },
  GATE_STATE: {
    cause: 'The session record or the baseline could not be read or written.',
    fix: 'Make $GSTACK_STATE_ROOT writable, or delete skill-gates/<session id>/.',
    exit: 0,
  },
  GATE_LOCKED: {
    cause: 'Another hook held the lock for over 3 seconds.',
    fix: 'Transient; the next call checks again.',
    exit: 0,
  },
  GATE_SLUG: {
    cause: 'The project slug could not be found out, so the ceo-plans directory was not checked.',
    fix: 'Run gstack-slug in the repository; GSTACK_PROJECT_SLUG pins it.',
    exit: 0,
  },
  GATE_RESTORE_FAILED: {
    cause: 'A changed file could not be put back.',
    fix: 'The block lists restored and failed files: run git diff HEAD -- <files> and fix them by hand.',
    exit: 0,
  },
  GATE_KILLED: {
    cause: 'A hook was killed before it finished, so its call went through unchecked.',
    fix: 'Keep the timeout of every registration at 25 seconds or more; the next check finishes the work.',
    exit: 0,
  },
  GATE_NATIVE: {
    cause: 'The native addon or nodegit could not be loaded by this Node.',
    fix: 'Run ./setup again with the Node that runs the hooks; after npm install -g, run npm rebuild nodegit in the folder of the package.',
    exit: 0,
  },
  GATE_UNEXPECTED: {
    cause: 'Something else was thrown.',
    fix: 'Report it with its trace log line.',
    exit: 0,
  },
  SKILL_GATES_USAGE: {
    cause: 'A bad argument of gstack-skill-gates.',
    fix: 'See gstack-skill-gates --help.',
    exit: 1,
  },
  GATE_NOT_ARMED: {
    cause:
      'With --expect armed, a session has no fired marker: the hooks never loaded or the skill never ran. With release, no gate holds the session.',
    fix: 'Check that the hooks are registered, and that the session is not run with --bare.',
    exit: 2,
  },
  GATE_ERRORED: {
    cause: 'A session recorded a hook error or an unchecked call.',
    fix: 'See the errors that report lists.',
    exit: 3,
  },
  SKILL_ROUTE_USAGE: {
    cause: 'A bad argument of gstack-skill-route.',
    fix: 'See gstack-skill-route --help.',
    exit: 2,
  },
  SKILL_ROUTE_ERROR: {
    cause: 'The routing hook could not read what it needs.',
    fix: 'See the routing log; gstack-skill-route --explain names a broken SKILL.md.',
    exit: 0,
  },
  SKILL_CONTRACT_UNMET: {
    cause: 'At least one item of the contract is missing.',
    fix: 'Do what the item says, or waive it when it does not apply.',
    exit: 1,
  },
  SKILL_CONTRACT_USAGE: {
    cause: 'A missing or malformed argument of gstack-skill-contract.',
    fix: 'See gstack-skill-contract --help.',
    exit: 2,
  },
  SKILL_CONTRACT_STATE_ERROR: {
    cause: 'A file could not be read or written, or is over its limit.',
    fix: 'Fix the named path.',
    exit: 3,
  },
  SKILL_CONTRACT_UNKNOWN_SHAPE: {
    cause: 'The file is not a Claude Code transcript that the parser understands.',
    fix: 'Claude Code may have changed its format: update gstack.',
    exit: 4,
  },
  SKILL_CONTRACT_NO_CONTRACT: {
    cause: 'No installed skill of that name declares a valid contract.',
    fix: 'The message names the problem.',
    exit: 5,
  },
  SKILL_CONTRACT_NOT_LOADED: {
    cause: 'The transcript never loads the skill.',
    fix: 'Check the transcript path and the skill name.',
    exit: 6,
  },
  CONFIG_ERROR: {
    cause: 'A bad argument of gstack-config, or config.yaml could not be read or written.',
    fix: 'Fix what the message names; gstack-config --help lists the verbs.',
    exit: 1,
  },
  SETUP_FAILED: {
    cause: 'Setup could not finish a step.',
    fix: 'The message names the step and what to do.',
    exit: 1,
  },
} as const satisfies Record<string, ErrorCode>

export type GateErrorCode = keyof typeof ERROR_CODES

/** What to do about a code as a record or a log has it; undefined for one of another version. */
export const fixOf = (code: string): string | undefined =>
  Object.hasOwn(ERROR_CODES, code) ? ERROR_CODES[code as GateErrorCode].fix : undefined

/** An answer that this pass cannot give, with a code of the table. */
export class GateError extends Error {
  readonly code: GateErrorCode

  constructor(code: GateErrorCode, message: string, options?: ErrorOptions) {
    super(message, options)
    this.name = 'GateError'
    this.code = code
  }
}

/** Whether a file system call failed because nothing is there. */
export function isMissing(error: unknown): boolean {
  return hasErrno(error, 'ENOENT') || hasErrno(error, 'ENOTDIR')
}

/** Whether a file system call failed with this errno name. */
export function hasErrno(error: unknown, name: string): boolean {
  return error instanceof Error && 'code' in error && error.code === name
}

/** Whether a call to the system failed, rather than our own code. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'syscall' in error
}

/**
 * The code of what was thrown: what failed below the state root is the state's, and so is a pinned index or table that does
 * not read; any other call to the system or to libgit2 is about the repository.
 */
export function asGateError(error: unknown, stateRoot: string): GateError {
  if (error instanceof GateError) return error
  const isState =
    isBelow(error, stateRoot) || ['EBADINDEX', 'EBADTABLE'].some((name) => hasErrno(error, name))
  const isRepository = isSystemError(error) || hasErrno(error, 'EGIT')
  const code = isState ? 'GATE_STATE' : isRepository ? 'GATE_GIT' : 'GATE_UNEXPECTED'
  return new GateError(code, messageOf(error), { cause: error })
}

/** Whether a call failed on a file below a folder. */
export function isBelow(error: unknown, folder: string): boolean {
  return error instanceof Error && 'path' in error && String(error.path).startsWith(folder)
}

/** What happened, in one line and without control characters, for a marker or a message. */
export function messageOf(error: unknown): string {
  return oneLine(error instanceof Error ? error.message : String(error))
}
