/** The real Claude Code client: fetched by npm into a temporary folder, and run for one prompt at a time. */

import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'

/** The version that the gates were last checked with. */
export const CLAUDE_CODE_VERSION = '2.1.332'

const PACKAGE = '@anthropic-ai/claude-code'
const SESSION_LIMIT_MS = 60_000

/**
 * Fetches a version through npm's own client and configuration; its install scripts are not run.
 *
 * @param folder takes the packages, some 200 MB
 * @returns the program's path
 * @throws Error with what npm said
 */
export function fetchClient(version: string, folder: string): string {
  mkdirSync(folder, { recursive: true })
  const options = ['--no-audit', '--no-fund', '--no-save', '--ignore-scripts', '--loglevel=error']
  try {
    execFileSync('npm', ['install', '--prefix', folder, ...options, `${PACKAGE}@${version}`], {
      stdio: 'pipe',
      timeout: 300_000,
    })
  } catch (cause) {
    const said = (cause as { stderr?: Buffer }).stderr?.toString().trim()
    throw new Error(`${PACKAGE}@${version} could not be fetched: ${said || String(cause)}`, { cause })
  }

  // The package itself is a wrapper; the one for this platform, an optional dependency, holds the program.
  const scope = join(folder, 'node_modules', dirname(PACKAGE))
  const program = readdirSync(scope)
    .map((name) => join(scope, name, 'claude'))
    .find((file) => existsSync(file))
  if (program === undefined) throw new Error(`${PACKAGE}@${version} has no program for this platform`)
  return program
}

export interface ClientRun {
  /** -1 when the client was killed. */
  readonly exitCode: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs the client with exactly this environment and an empty standard input; killed after a minute. */
export async function runClient(
  program: string,
  args: readonly string[],
  { cwd, env }: { cwd: string; env: Readonly<Record<string, string>> },
): Promise<ClientRun> {
  const child = spawn(program, args, { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const endWithUs = (): void => void child.kill('SIGKILL')
  process.once('exit', endWithUs)
  const limit = setTimeout(endWithUs, SESSION_LIMIT_MS)

  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  const exitCode = await new Promise<number>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code) => resolve(code ?? -1))
  })

  clearTimeout(limit)
  process.removeListener('exit', endWithUs)
  return {
    exitCode,
    stdout: Buffer.concat(stdout).toString('utf8'),
    stderr: Buffer.concat(stderr).toString('utf8'),
  }
}
