import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'

import { ADDON_PATH } from './tree.ts'

/** Source of a process that has the addon as `native` and a value as `given`. */
const sourceOf = (given: unknown, body: string) =>
  `const native = require(${JSON.stringify(ADDON_PATH)})
   const given = JSON.parse(${JSON.stringify(JSON.stringify(given))})
   const bytes = (text) => Buffer.from(text, 'latin1')
   ${body}`

/** Runs a body in a process of its own; how it ended, and what it printed. */
export function runChild(given: unknown, body: string) {
  const { signal, stdout, stderr } = spawnSync(process.execPath, ['-e', sourceOf(given, body)], {
    encoding: 'utf8',
  })
  return { signal, stdout, stderr }
}

/** Runs a body until it stops itself, lets `meanwhile` happen, and lets it go on. @returns what it printed */
export async function interrupt(given: unknown, body: string, meanwhile: () => void): Promise<string> {
  const child = spawn(process.execPath, ['-e', sourceOf(given, body)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const chunks: Buffer[] = []
  child.stdout.on('data', (chunk: Buffer) => chunks.push(chunk))
  const ended = once(child, 'close')
  try {
    while (!isStopped(child.pid)) await new Promise((resolve) => setTimeout(resolve, 5))
    meanwhile()
  } finally {
    child.kill('SIGCONT')
  }
  await ended
  return Buffer.concat(chunks).toString()
}

function isStopped(pid: number | undefined): boolean {
  const stat = readFileSync(`/proc/${String(pid)}/stat`, 'latin1')
  return stat.slice(stat.lastIndexOf(')') + 2).startsWith('T')
}
