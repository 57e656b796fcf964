import { readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { fileURLToPath } from 'node:url'
import { hasErrno } from '../core/errors.ts'
import { runHook } from '../hook/run.ts'

void main()

async function main(): Promise<void> {
  const output = await runHook({
    args: process.argv.slice(2),
    stdin: await readStdin(),
    env: process.env,
    home: process.env['HOME'] ?? homedir(),
    packageRoot: fileURLToPath(new URL('..', import.meta.url)).replace(/\/$/, ''),
    now: () => new Date(),
    elapsedMs: () => performance.now(),
  })
  if (output.stderr !== undefined) process.stderr.write(output.stderr)
  process.stdout.write(output.stdout ?? '', () => process.exit(0))
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
