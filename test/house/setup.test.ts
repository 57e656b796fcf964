/** `./setup` on machines that lack something, played with stand-ins for the programs it calls. */

import { execFileSync } from 'node:child_process'
import { chmodSync, cpSync, existsSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { PACKAGE, test as base, type Ran, type World } from '../helpers/world.ts'

/** What `./setup` needs of any Unix. */
const TOOLS = [
  'bash',
  'cat',
  'cp',
  'cksum',
  'dirname',
  'env',
  'grep',
  'head',
  'mkdir',
  'mktemp',
  'rm',
  'sleep',
  'tail',
  'tee',
  'uname',
]

interface Machine {
  /** Puts a program on PATH: a shell script. */
  has(name: string, script?: string): void
  /** Puts a program into `node_modules/.bin`. */
  hasTool(name: string, script?: string): void
  /** A smoke that ends with this line. */
  hasSmoke(lastLine: string): void
  setup(...args: string[]): Promise<Ran>
  /** Lines that the stand-ins wrote to the file `$CALLS`. */
  calls(): string[]
}

const test = base.extend<{ machine: Machine }>({
  machine: async ({ world }, use) => {
    await use(createMachine(world))
  },
})

/** A folder with `./setup` and a build that does nothing, and a PATH that holds no more than a test puts there. */
function createMachine(world: World): Machine {
  const [folder, bin, calls] = ['package', 'bin', 'calls'].map((name) => join(world.folder, name)) as [
    string,
    string,
    string,
  ]
  mkdirSync(folder)
  mkdirSync(bin)
  cpSync(join(PACKAGE, 'setup'), join(folder, 'setup'))
  mkdirSync(join(folder, 'bin'))
  cpSync(join(PACKAGE, 'bin/hook-launcher'), join(folder, 'bin/hook-launcher'))
  writeFileSync(join(folder, 'package-lock.json'), '{}')
  writeFileSync(join(folder, 'build.mjs'), '')
  for (const tool of TOOLS)
    symlinkSync(
      execFileSync('/bin/sh', ['-c', `command -v ${tool}`], { encoding: 'utf8' }).trim(),
      join(bin, tool),
    )

  const machine: Machine = {
    has: (name, script) => writeProgram(join(bin, name), script),
    hasTool(name, script) {
      mkdirSync(join(folder, 'node_modules/.bin'), { recursive: true })
      writeProgram(join(folder, 'node_modules/.bin', name), script)
    },
    hasSmoke(lastLine) {
      mkdirSync(join(folder, 'test/smoke'), { recursive: true })
      writeFileSync(
        join(folder, 'test/smoke/run.mjs'),
        `console.log('a check')\nconsole.log('${lastLine}')\n`,
      )
    },
    setup: (...args) =>
      world.run(join(folder, 'setup'), args, { cwd: folder, env: { ...world.env, PATH: bin, CALLS: calls } }),
    calls: () => (existsSync(calls) ? readFileSync(calls, 'utf8').trim().split('\n') : []),
  }
  machine.has('node', `exec '${process.execPath}' "$@"`)
  machine.has('id', 'echo 1000')
  machine.has('npm', 'echo "npm $*" >>"$CALLS"; mkdir -p node_modules')
  for (const name of ['make', 'python3', 'git']) machine.has(name)
  return machine
}

function writeProgram(file: string, script = ''): void {
  writeFileSync(file, `#!/bin/sh\n${script}\n`)
  chmodSync(file, 0o755)
}

test('--help says what each flag does and touches nothing', async ({ machine }) => {
  const ran = await machine.setup('--help')

  expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
  for (const flag of ['--demo', '--test', '--no-build']) expect(ran.stdout).toContain(flag)
  expect(machine.calls()).toEqual([])
})

describe('Node', () => {
  test('is asked for when it is missing', async ({ machine }) => {
    machine.has('node', 'exit 127')

    const ran = await machine.setup()

    expect(ran.exitCode).toBe(1)
    expect(ran.stderr).toContain('install Node 20.17 or newer')
  })

  test('is asked for when it is too old', async ({ machine }) => {
    machine.has('node', '[ "$1" = -p ] && echo 18.19.0')

    const ran = await machine.setup()

    expect(ran.exitCode).toBe(1)
    expect(ran.stderr).toContain('Node 18.19.0 is too old')
  })
})

describe('without a compiler', () => {
  const commands: readonly [string, string][] = [
    ['apt-get', 'sudo apt-get install -y g++'],
    ['dnf', 'sudo dnf install -y gcc-c++'],
    ['brew', 'xcode-select --install; brew install'],
  ]

  test.for(commands)(
    'a person with %s is told the exact command',
    async ([manager, command], { machine }) => {
      machine.has(manager)

      const ran = await machine.setup()

      expect(ran.exitCode).toBe(1)
      expect(ran.stdout).toContain('missing: g++')
      expect(ran.stderr).toContain(command)
      expect(machine.calls()).toEqual([])
    },
  )

  test('root gets it installed, and the set-up goes on', async ({ machine }) => {
    machine.has('id', 'echo 0')
    machine.has('apt-get', 'echo "apt-get $*" >>"$CALLS"')

    const ran = await machine.setup()

    expect(ran.exitCode).toBe(0)
    expect(machine.calls().join('\n')).toMatch(/apt-get update\napt-get install .*g\+\+.*\nnpm ci/)
  })

  test('root is shown what apt-get said when it fails', async ({ machine }) => {
    machine.has('id', 'echo 0')
    machine.has('apt-get', 'echo "no space left"; exit 100')

    const ran = await machine.setup()

    expect(ran.exitCode).toBe(1)
    expect(ran.stderr).toContain('no space left')
  })
})

describe('with a compiler', () => {
  test('a second run has nothing to install', async ({ machine }) => {
    machine.has('g++')
    await machine.setup()

    const ran = await machine.setup()

    expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
    expect(ran.stdout).toContain('up to date')
    expect(machine.calls()).toHaveLength(1)
  })

  test('what npm said is shown when it fails, and the next run tries again', async ({ machine }) => {
    machine.has('g++')
    machine.has('npm', 'echo "npm $*" >>"$CALLS"; echo "E404 not found"; exit 1')

    const first = await machine.setup()
    await machine.setup()

    expect(first.exitCode).toBe(1)
    expect(first.stderr).toContain('E404 not found')
    expect(machine.calls()).toHaveLength(2)
  })

  test('--no-build neither installs nor builds', async ({ machine }) => {
    const ran = await machine.setup('--no-build')

    expect(ran.exitCode).toBe(0)
    expect(machine.calls()).toEqual([])
  })
})

describe('--test', () => {
  /** What vitest writes: one test file, and one that could not be loaded. */
  const results = JSON.stringify({
    numPassedTests: 7,
    numFailedTests: 2,
    testResults: [
      { status: 'failed', assertionResults: [{}] },
      { status: 'failed', assertionResults: [] },
    ],
  })
  const lastLine = ({ stdout }: Ran) => stdout.trimEnd().split('\n').at(-1)

  function withTools(machine: Machine, vitest: string): void {
    for (const tool of ['tsc', 'prettier', 'eslint', 'depcruise', 'knip']) machine.hasTool(tool)
    machine.hasTool('vitest', `for last; do :; done; ${vitest}`)
    machine.hasSmoke('5 passed, 0 failed')
  }

  test('ends with the sum of tests and smoke; a file that could not be loaded is one that failed', async ({
    machine,
  }) => {
    withTools(machine, `echo '${results}' >"\${last#*=}"; exit 1`)

    const ran = await machine.setup('--no-build', '--test')

    expect(ran.exitCode).toBe(1)
    expect(lastLine(ran)).toBe('12 passed, 3 failed')
  })

  test('runs everything although one check fails, and fails in the end', async ({ machine }) => {
    withTools(machine, `echo '{"numPassedTests":7,"numFailedTests":0,"testResults":[]}' >"\${last#*=}"`)
    machine.hasTool('tsc', 'exit 2')

    const ran = await machine.setup('--no-build', '--test')

    expect(ran.exitCode).toBe(1)
    expect(ran.stdout).toContain('types      FAILED')
    expect(lastLine(ran)).toBe('12 passed, 0 failed')
  })

  test('passes when everything does', async ({ machine }) => {
    withTools(machine, `echo '{"numPassedTests":7,"numFailedTests":0,"testResults":[]}' >"\${last#*=}"`)

    const ran = await machine.setup('--no-build', '--test')

    expect(ran.exitCode).toBe(0)
    expect(lastLine(ran)).toBe('12 passed, 0 failed')
  })

  test('counts a smoke that ends before its tally as one that failed', async ({ machine }) => {
    withTools(machine, `echo '{"numPassedTests":7,"numFailedTests":0,"testResults":[]}' >"\${last#*=}"`)
    machine.hasSmoke('the client cannot be fetched')

    const ran = await machine.setup('--no-build', '--test')

    expect(lastLine(ran)).toBe('7 passed, 1 failed')
  })

  test('counts as failed when it cannot start', async ({ machine }) => {
    machine.has('node', 'exit 127')

    const ran = await machine.setup('--test')

    expect(ran.exitCode).toBe(1)
    expect(lastLine(ran)).toBe('0 passed, 1 failed')
  })

  test('hides the HOME of who runs it', async ({ machine, world }) => {
    withTools(machine, `echo "$HOME" >>"$CALLS"; exit 1`)

    await machine.setup('--no-build', '--test')

    expect(machine.calls()).not.toContain(world.home)
  })
})
