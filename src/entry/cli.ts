/** The programs of `bin/`: the first argument names the program, the rest is its own. */

import { homedir } from 'node:os'
import { dirname } from 'node:path'

import { runProgram } from '../cli/run.ts'

const [program = '', ...argv] = process.argv.slice(2)

// `report | head` closes the pipe early; that is no failure of the command.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
})

void main()

async function main(): Promise<void> {
  process.exitCode = await runProgram(program, argv, {
    env: process.env,
    cwd: process.cwd(),
    home: process.env['HOME'] || homedir(),
    packageRoot: dirname(import.meta.dirname),
    isTerminal: process.stdout.isTTY,
    stdout: (text) => process.stdout.write(text),
    stderr: (text) => process.stderr.write(text),
  })
}
