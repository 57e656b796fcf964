/**
 * Runs calls of one hook and writes the code cache of the functions that they ran, for `build-hook.mjs`:
 *
 *   node warm-up.mjs <script> <hook> <cache>
 *
 * The calls happen in a temporary folder with a HOME, a state root and a repository of its own. What cannot be had here
 * (git, the addon) is left out: the cache then has fewer functions, and hooks compile them.
 */

import { execFileSync } from 'node:child_process'
import {
  appendFileSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { createRequire } from 'node:module'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { Script } from 'node:vm'

const [script, hook, cache] = process.argv
  .slice(2)
  .map((argument, at) => (at === 1 ? argument : resolve(argument)))
const PACKAGE_ROOT = fileURLToPath(new URL('.', import.meta.url)).replace(/\/$/, '')
const loader = join(dirname(script), 'hook.js')
const compiled = new Script(readFileSync(script, 'latin1'), { filename: script })
const bundle = { exports: {} }
compiled.runInThisContext()(createRequire(loader), bundle, bundle.exports, loader, dirname(loader))

const world = realpathSync(mkdtempSync(join(tmpdir(), 'gstack-warm-up-')))
try {
  await play()
  writeFileSync(cache, compiled.createCachedData())
} finally {
  rmSync(world, { recursive: true, force: true })
}

async function play() {
  const repo = join(world, 'repo')
  const skill = join(world, '.claude/skills/investigate')
  const transcript = join(world, 'transcript.jsonl')
  for (const folder of [repo, skill, join(world, '.gstack')]) mkdirSync(folder, { recursive: true })
  const contract = { version: 1, items: [{ id: 'repro', kind: 'check_after_last_edit' }] }
  writeFileSync(
    join(skill, 'SKILL.md'),
    `---\nname: investigate\ntriggers: [fix this bug]\ncontract: ${JSON.stringify(contract)}\n---\n`,
  )
  writeFileSync(join(repo, 'a.txt'), 'a\n')
  gitIfThere(repo, ['init', '-q'])
  gitIfThere(repo, ['add', '.'])
  gitIfThere(repo, ['-c', 'user.name=-', '-c', 'user.email=-', 'commit', '-qm', '-'])

  const record = (type, content, id) =>
    appendFileSync(
      transcript,
      `${JSON.stringify({ type, message: { role: type, id, content }, cwd: repo, timestamp: new Date().toISOString() })}\n`,
    )
  const use = (id, name, input) => record('assistant', [{ type: 'tool_use', id, name, input }], id)
  const result = (id) => record('user', [{ type: 'tool_result', tool_use_id: id, content: 'done' }])
  const call = (event, fields) =>
    runHook({ hook_event_name: event, cwd: repo, transcript_path: transcript, ...fields })
  const bash = { tool_name: 'Bash', tool_input: { command: 'true' }, tool_use_id: 'bash' }
  const stop = { last_assistant_message: 'STATUS: DONE' }

  record('user', 'fix this bug')
  for (const event of ['PreToolUse', 'Stop', 'UserPromptSubmit'])
    await call(event, { ...bash, ...stop, prompt: 'fix this bug' })
  for (const name of ['investigate', 'plan-ceo-review']) {
    use(name, 'Skill', { skill: name })
    result(name)
  }
  use('edit', 'Edit', { file_path: 'a.txt' })
  result('edit')
  use('bash', 'Bash', { command: 'true' })
  await call('PreToolUse', bash)
  writeFileSync(join(repo, 'a.txt'), 'changed\n')
  await call('PostToolUse', bash)
  await call('PostToolUse', bash)
  record('assistant', [{ type: 'text', text: 'STATUS: DONE' }], 'last')
  for (let stops = 0; stops < 2; stops++) await call('Stop', stop)
}

async function runHook(payload) {
  const startedMs = performance.now()
  await bundle.exports.runHook({
    args: [hook],
    stdin: Buffer.from(JSON.stringify({ session_id: 'warm-up', ...payload })),
    env: {
      PATH: process.env.PATH,
      HOME: world,
      GSTACK_STATE_ROOT: join(world, '.gstack'),
      GSTACK_INVESTIGATE_GATE: 'on',
      GSTACK_CEO_REVIEW_GATE: 'on',
      GSTACK_SKILL_ROUTING: 'on',
      GSTACK_SKILL_CONTRACTS: 'on',
    },
    home: world,
    packageRoot: PACKAGE_ROOT,
    now: () => new Date(),
    elapsedMs: () => performance.now() - startedMs,
  })
}

function gitIfThere(folder, args) {
  try {
    execFileSync('git', args, { cwd: folder, stdio: 'ignore' })
  } catch (error) {
    if (error.code !== 'ENOENT' && error.status === undefined) throw error
  }
}
