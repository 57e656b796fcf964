/**
 * Preloaded into a hook by `run-hook.ts`: SIGKILL at a point that GATE_KILL_POINT names, which no timing has to hit.
 * GATE_RACE is a shell script that runs right before the hook takes its first lock file of git's, as another git would.
 *
 *   change:<n>   right before the n-th call that changes a file
 *   <step>       at a named step of the addon (`native/steps.h`)
 *   count        nowhere; the number of such calls goes to stderr as `changes <n>`
 */
import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import { createRequire, syncBuiltinESMExports } from 'node:module'

const CHANGES = [
  'appendFileSync',
  'linkSync',
  'mkdirSync',
  'openSync',
  'renameSync',
  'rmSync',
  'unlinkSync',
  'writeFileSync',
]
const point = process.env['GATE_KILL_POINT'] ?? 'count'
const lastChange = point.startsWith('change:') ? Number(point.slice('change:'.length)) : Infinity
let changes = 0
let race = process.env['GATE_RACE']

for (const name of CHANGES) {
  const call = fs[name]
  fs[name] = (...args) => {
    const reads = name === 'openSync' && (args[1] ?? 'r') === 'r'
    if (!reads && ++changes === lastChange) process.kill(process.pid, 'SIGKILL')
    if (race !== undefined && name === 'linkSync' && String(args[1]).endsWith('.lock')) {
      const script = race
      race = undefined
      execFileSync('bash', ['-e', '-c', script])
    }
    return call(...args)
  }
}
syncBuiltinESMExports()

if (point === 'count') process.on('exit', () => process.stderr.write(`changes ${String(changes)}\n`))
else if (lastChange === Infinity)
  createRequire(import.meta.url)('../../build/Release/gstack_gates.node').atStep(point, 'kill')
