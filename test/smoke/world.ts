/** A machine of its own for one scenario: HOME, Claude Code's folder with two skills, state root and a repository. */

import { execFileSync } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export interface World {
  /** Absolute, links resolved, like all paths here. */
  readonly folder: string
  readonly configDir: string
  readonly stateRoot: string
  readonly repository: string
  /** Absolute folder of this package. */
  readonly packageRoot: string
  /** What turns the two gates on, as `gstack-skill-gates settings` printed it. */
  readonly gateSettings: string
  readonly env: Readonly<Record<string, string>>
  read(file: string): string
  write(file: string, content: string): void
  /** Content of the two tracked source files. */
  sources(): Sources
  /** Runs one of our commands. */
  gstack(name: string, ...args: string[]): { readonly exitCode: number; readonly stdout: string }
}

export interface Sources {
  readonly auth: string
  readonly cart: string
}

export const AUTH = 'src/auth.js'
export const CART = 'src/cart.js'

/** As committed; both throw for what they should answer. */
export const COMMITTED: Sources = {
  auth: 'export const isNamed = (user) => user.name.length > 0\n',
  cart: 'export const total = (cart) => cart.items.length\n',
}

const REPRO = `import assert from 'node:assert'
import { isNamed } from '../src/auth.js'
assert.equal(isNamed({}), false)
console.log('1 passed')
`

const INVESTIGATE = `---
name: investigate
description: Finds the root cause of a bug before any fix.
contract:
  version: 1
  items:
    - id: debug-report
      kind: report_labels
      heading: DEBUG REPORT
      labels: [Symptom, Root cause, Fix, Evidence]
    - id: repro-after-fix
      kind: check_after_last_edit
---
# /investigate

State a line that starts with the label of the cause before you edit.
`

const PLAN_CEO_REVIEW = `---
name: plan-ceo-review
description: Reviews a plan as a founder would.
---
# /plan-ceo-review

Rank the top risks of the plan.
`

/** @param folder empty; removing it is the caller's */
export function createWorld(folder: string, packageRoot: string): World {
  mkdirSync(folder, { recursive: true })
  const root = realpathSync(folder)
  const home = join(root, 'home')
  const configDir = join(home, '.claude')
  const stateRoot = join(root, 'state')
  const repository = join(root, 'project')
  const temporary = join(root, 'tmp')
  for (const path of [configDir, stateRoot, join(repository, 'src'), temporary])
    mkdirSync(path, { recursive: true })

  const env = {
    PATH: [dirname(process.execPath), '/usr/local/bin', '/usr/bin', '/bin'].join(':'),
    HOME: home,
    SHELL: '/bin/sh',
    LANG: 'C.UTF-8',
    TERM: 'dumb',
    TMPDIR: temporary,
    CLAUDE_CONFIG_DIR: configDir,
    GSTACK_STATE_ROOT: stateRoot,
    GIT_CONFIG_NOSYSTEM: '1',
  }
  const write = (file: string, content: string): void => {
    mkdirSync(dirname(join(repository, file)), { recursive: true })
    writeFileSync(join(repository, file), content)
  }
  const read = (file: string): string => readFileSync(join(repository, file), 'utf8')
  const gstack: World['gstack'] = (name, ...args) => {
    try {
      const command = join(packageRoot, 'bin', name)
      return {
        exitCode: 0,
        stdout: execFileSync(command, args, { cwd: root, env, stdio: 'pipe' }).toString(),
      }
    } catch (error) {
      const { status, stdout } = error as { status: number | null; stdout: Buffer }
      return { exitCode: status ?? -1, stdout: String(stdout) }
    }
  }

  installSkill(configDir, 'investigate', INVESTIGATE)
  installSkill(configDir, 'plan-ceo-review', PLAN_CEO_REVIEW)
  write('package.json', '{ "type": "module" }\n')
  write(AUTH, COMMITTED.auth)
  write(CART, COMMITTED.cart)
  write('test/repro.js', REPRO)
  commitAll(repository, env)

  const gateSettings = join(root, 'gates.json')
  const printed = gstack('gstack-skill-gates', 'settings', '--investigate', '--ceo-review')
  // The client takes an empty settings file for none at all, and says nothing.
  if (printed.exitCode !== 0) throw new Error(`gstack-skill-gates settings ended with ${printed.exitCode}`)
  writeFileSync(gateSettings, printed.stdout)
  return {
    folder: root,
    configDir,
    stateRoot,
    repository,
    packageRoot,
    gateSettings,
    env,
    read,
    write,
    sources: () => ({ auth: read(AUTH), cart: read(CART) }),
    gstack,
  }
}

function installSkill(configDir: string, name: string, text: string): void {
  mkdirSync(join(configDir, 'skills', name), { recursive: true })
  writeFileSync(join(configDir, 'skills', name, 'SKILL.md'), text)
}

function commitAll(repository: string, env: Readonly<Record<string, string>>): void {
  const identity = ['-c', 'user.name=Dev', '-c', 'user.email=dev@example.invalid']
  for (const args of [
    ['init', '-q', '-b', 'main'],
    ['add', '-A'],
    [...identity, 'commit', '-q', '-m', 'Start'],
  ])
    execFileSync('git', args, { cwd: repository, env, stdio: 'pipe' })
}
