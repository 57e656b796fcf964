/**
 * The only file that starts git, for the limits of libgit2 that each function names. Every call is shut off from the
 * work tree, the index and the environment's redirections; configuration and HOME stay, since filter drivers live there.
 */

import { execFile } from 'node:child_process'
import type { Deadline } from '../core/deadline.ts'
import type { Env } from '../core/env.ts'
import { GateError, messageOf } from '../core/errors.ts'

/**
 * Values of the configuration by lower-case key, for an environment that brings configuration of its own: libgit2 does
 * not see it.
 *
 * @param keys a regular expression
 * @returns undefined when git cannot be run
 */
export async function readGitConfiguration(
  gitDir: string,
  keys: string,
  using: { readonly env: Env; readonly deadline: Deadline },
): Promise<ReadonlyMap<string, string> | undefined> {
  try {
    const output = await runGit(
      { ...using, gitDir, workTree: gitDir },
      ['config', '--null', '--get-regexp', keys],
      Buffer.alloc(0),
    )
    const entries = output
      .toString('utf8')
      .split('\0')
      .filter((entry) => entry !== '')
    return new Map(
      entries.map((entry) => {
        const [key = '', ...value] = entry.split('\n')
        return [key, value.length === 0 ? 'true' : value.join('\n')]
      }),
    )
  } catch (error) {
    if (error instanceof GateError && error.code === 'GATE_GIT') return undefined
    throw error
  }
}

/** Variables that would send git elsewhere. */
const REDIRECTING =
  /^GIT_(?:DIR|WORK_TREE|INDEX_FILE|OBJECT_DIRECTORY|ALTERNATE_OBJECT_DIRECTORIES|COMMON_DIR|NAMESPACE|PREFIX|CEILING_DIRECTORIES|LITERAL_PATHSPECS|GLOB_PATHSPECS|NOGLOB_PATHSPECS|ICASE_PATHSPECS|ATTR_SOURCE|TRACE.*|EXTERNAL_DIFF|QUARANTINE_PATH)$/

/** @returns standard output, also of a git that failed after it had started */
export async function runGit(
  where: {
    readonly gitDir: string
    readonly env: Env
    readonly deadline: Deadline
    readonly workTree: string
    readonly viewIndex?: string
  },
  args: readonly string[],
  input: Buffer,
): Promise<Buffer> {
  const { gitDir, env, deadline, workTree, viewIndex } = where
  deadline.check('git', 50)
  const kept = Object.entries(env).filter(([name]) => !REDIRECTING.test(name))
  const options = {
    cwd: workTree,
    env: {
      ...Object.fromEntries(kept),
      GIT_DIR: gitDir,
      GIT_WORK_TREE: workTree,
      ...(viewIndex === undefined ? {} : { GIT_INDEX_FILE: viewIndex }),
      GIT_ATTR_NOSYSTEM: '1',
      GIT_OPTIONAL_LOCKS: '0',
      // Before 2.45 git knows no GIT_NO_LAZY_FETCH, and fetches what a partial clone lacks unless no protocol is allowed.
      GIT_NO_LAZY_FETCH: '1',
      GIT_ALLOW_PROTOCOL: '',
      GIT_TERMINAL_PROMPT: '0',
    },
    encoding: 'buffer' as const,
    maxBuffer: 16 * 1024 * 1024,
    timeout: Math.max(50, Math.floor(deadline.remaining() - 200)),
    killSignal: 'SIGKILL' as const,
  }
  return await new Promise((resolve, reject) => {
    const child = execFile('git', args, options, (error, stdout) => {
      if (error === null || typeof error.code === 'number') resolve(stdout)
      else if (error.killed === true)
        reject(new GateError('GATE_TIMEOUT', `git ${args.join(' ')} did not end in time`))
      else reject(new GateError('GATE_GIT', `git ${args.join(' ')} could not be run: ${messageOf(error)}`))
    })
    // A git that ends early closes its input; its output says how far it came.
    child.stdin?.on('error', () => undefined)
    child.stdin?.end(input)
  })
}
