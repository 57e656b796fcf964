/** A folder of its own for everything that is played: home, state root, skills, and a small repository with a bug. */

import { mkdirSync, mkdtempSync, realpathSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'

import { LONGEST_DEADLINE_MS } from '../../core/deadline.ts'
import type { Env } from '../../core/env.ts'
import { GateError } from '../../core/errors.ts'
import { runShell } from '../shell.ts'

export interface World {
  readonly root: string
  readonly home: string
  readonly repository: string
  /** What every played command gets; HOME lies in the folder, so nothing of the person's is read or written. */
  readonly env: Env
}

/** Where the bug is. */
export const BUGGY_FILE = 'src/total.js'

/** What is taken over from the person's environment: where programs, temporary files and words are. */
const KEPT_NAMES = ['PATH', 'TMPDIR', 'LANG', 'LC_ALL', 'TERM']

const FILES: Readonly<Record<string, string>> = {
  [BUGGY_FILE]: [
    '/** Sum of all prices of a basket, in cents. */',
    'export function total(items) {',
    '  return items.reduce((sum, item) => sum + item.price, 1)',
    '}',
    '',
  ].join('\n'),
  'test/total.test.js': [
    "import assert from 'node:assert'",
    "import { total } from '../src/total.js'",
    '',
    'assert.equal(total([{ price: 250 }, { price: 199 }]), 449)',
    '',
  ].join('\n'),
  'package.json':
    '{ "name": "basket", "type": "module", "scripts": { "test": "node test/total.test.js" } }\n',
}

const SKILL = `---
name: investigate
description: Find the root cause before fixing.
---

# /investigate

Look first. State the root cause before you change source.
`

/** @throws GateError SETUP_FAILED when git cannot make the repository */
export async function makeWorld(personEnv: Env): Promise<World> {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'gstack-demo-')))
  const home = join(root, 'home')
  const repository = join(root, 'basket')
  write(join(home, '.claude/skills/investigate/SKILL.md'), SKILL)
  for (const [name, text] of Object.entries(FILES)) write(join(repository, name), text)

  const env = {
    ...Object.fromEntries(KEPT_NAMES.map((name) => [name, personEnv[name]])),
    HOME: home,
    CLAUDECODE: '1',
    CLAUDE_PID: String(process.pid),
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    CLAUDE_CODE_SESSION_ATTENDED: '1',
    CLAUDE_PROJECT_DIR: repository,
    // As long as a hook may have, so that a busy machine shows the same.
    GSTACK_SKILL_GATE_DEADLINE_MS: String(LONGEST_DEADLINE_MS),
  }
  const commit = 'git -c user.name=Demo -c user.email=demo@example.com commit -q -m "Add the basket"'
  const made = await runShell(`git init -q -b main && git add . && ${commit}`, { cwd: repository, env })
  if (made.exitCode !== 0)
    throw new GateError('SETUP_FAILED', `git could not make the demo repository: ${made.stderr.trim()}`)
  return { root, home, repository, env }
}

function write(path: string, text: string): void {
  mkdirSync(dirname(path), { recursive: true })
  writeFileSync(path, text)
}
