import { execFileSync } from 'node:child_process'

/** Committer and author of every commit that a recipe makes. */
export const IDENTITY = { name: 'Dev', email: 'dev@example.invalid' } as const

/**
 * Environment of a git that reads no configuration but the repository's own, speaks English, and never rewrites the
 * index only because somebody looked.
 */
export const GIT_ENV = {
  PATH: process.env['PATH'] ?? '/usr/bin:/bin',
  HOME: '/nonexistent',
  LC_ALL: 'C',
  TZ: 'UTC',
  GIT_CONFIG_GLOBAL: '/dev/null',
  GIT_CONFIG_SYSTEM: '/dev/null',
  GIT_OPTIONAL_LOCKS: '0',
  // Tests that play another user own the repository no longer.
  GIT_CONFIG_COUNT: '1',
  GIT_CONFIG_KEY_0: 'safe.directory',
  GIT_CONFIG_VALUE_0: '*',
  GIT_TERMINAL_PROMPT: '0',
} as const

export interface GitOptions {
  readonly env?: Readonly<Record<string, string>>
  readonly input?: string | Buffer
  /** Exit codes beside 0 that are an answer and no failure. */
  readonly accept?: readonly number[]
}

/** @returns what git printed, byte for byte */
export function gitBytes(folder: string, args: readonly string[], options: GitOptions = {}): Buffer {
  try {
    return execFileSync('git', args, {
      cwd: folder,
      env: { ...GIT_ENV, ...options.env },
      input: options.input ?? '',
      maxBuffer: 1 << 28,
      stdio: ['pipe', 'pipe', 'pipe'],
    })
  } catch (error) {
    const failure = error as { status: number | null; stdout: Buffer; stderr: Buffer }
    if (failure.status !== null && options.accept?.includes(failure.status) === true) return failure.stdout
    throw new Error(`git ${args.join(' ')} failed in ${folder}: ${failure.stderr.toString()}`, {
      cause: error,
    })
  }
}

/** @returns what git printed, without the newline at its end */
export function git(folder: string, args: readonly string[], options: GitOptions = {}): string {
  return gitBytes(folder, args, options).toString('utf8').replace(/\n$/, '')
}
