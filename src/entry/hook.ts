import { readFileSync, writeSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname } from 'node:path'
import { spentMsFrom } from '../core/deadline.ts'
import { hasErrno } from '../core/errors.ts'
import { runHook } from '../hook/run.ts'
import { leaveInTime } from '../hook/watchdog.ts'

export { runHook }

/** Answers the call that standard input holds; the loader that the build writes calls this. */
export async function main(): Promise<void> {
  const spentMs = spentMsFrom(process.env)
  const output = await runHook({
    args: process.argv.slice(2),
    stdin: await readStdin(),
    env: process.env,
    home: process.env['HOME'] ?? homedir(),
    packageRoot: dirname(import.meta.dirname),
    now: () => new Date(),
    elapsedMs: () => process.uptime() * 1_000 + spentMs,
  })
  await print(2, output.stderr)
  await print(1, output.stdout)
  leaveInTime()
  process.exit(0)
}

/** Straight to the descriptor, since the streams of `process` cost 5 ms to make; they take over where a pipe is full. */
async function print(descriptor: 1 | 2, text = ''): Promise<void> {
  const bytes = Buffer.from(text, 'utf8')
  for (let at = 0; at < bytes.length;) {
    try {
      at += writeSync(descriptor, bytes, at)
    } catch (error) {
      if (!hasErrno(error, 'EAGAIN')) return // nobody reads it
      const stream = descriptor === 1 ? process.stdout : process.stderr
      await new Promise((resolve) => stream.write(bytes.subarray(at), resolve))
      return
    }
  }
}

/** All of standard input; a closed one is empty. Reading it at once saves the start of a stream. */
async function readStdin(): Promise<Buffer> {
  try {
    return readFileSync(0)
  } catch (error) {
    if (!hasErrno(error, 'EAGAIN')) return Buffer.alloc(0)
    return Buffer.concat(await process.stdin.toArray())
  }
}
