/** Starts a command line as Claude Code does: through `/bin/sh`, the payload on its standard input. */

import { spawn } from 'node:child_process'

import type { Env } from '../core/env.ts'
import { elapsedMs } from '../native/clock.ts'

export interface ShellResult {
  readonly stdout: string
  readonly stderr: string
  /** undefined when a signal ended it, the timeout's included. */
  readonly exitCode: number | undefined
  readonly durationMs: number
}

/**
 * @param line as settings.json holds it
 * @param options.stdin empty when absent
 * @param options.timeoutMs then the command is killed; default 60,000
 */
export async function runShell(
  line: string,
  options: { cwd: string; env: Env; stdin?: string; timeoutMs?: number },
): Promise<ShellResult> {
  const startedMs = elapsedMs()
  const child = spawn('/bin/sh', ['-c', line], {
    cwd: options.cwd,
    env: options.env,
    timeout: options.timeoutMs ?? 60_000,
    killSignal: 'SIGKILL',
  })
  const stdout: Buffer[] = []
  const stderr: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => stdout.push(chunk))
  child.stderr.on('data', (chunk: Buffer) => stderr.push(chunk))
  // A command that ends without reading its input closes the pipe; its answer still counts.
  child.stdin.on('error', () => undefined)
  child.stdin.end(options.stdin ?? '')

  const exitCode = await new Promise<number | undefined>((resolve, reject) => {
    child.on('error', reject)
    child.on('close', (code) => resolve(code ?? undefined))
  })
  return {
    stdout: Buffer.concat(stdout).toString('utf8'),
    stderr: Buffer.concat(stderr).toString('utf8'),
    exitCode,
    durationMs: elapsedMs() - startedMs,
  }
}
