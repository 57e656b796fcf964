/** A person's machine for hooks that are timed: HOME, state root, skills, and sessions with a transcript each. */

import { execFileSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HookEvent } from '../helpers/payload.ts'
import { stopPayload, toolPayload } from '../helpers/payload.ts'
import { loadSkill, newCallId } from '../helpers/session-records.ts'
import { createTranscript, type Fields, type Transcript } from '../helpers/transcript.ts'
import { timeOnce, type Command } from './measure.ts'

export interface Stage {
  readonly home: string
  readonly stateRoot: string
  readonly configDir: string
  readonly env: Readonly<Record<string, string>>
  /** The registered command of a hook with this payload. */
  hook(name: string, payload: Fields, env?: Readonly<Record<string, string>>): Command
  session(cwd: string): TimedSession
  /** A program that is no hook, in the same environment. */
  program(program: string, args: readonly string[], cwd?: string): Command
}

export interface TimedSession {
  readonly id: string
  readonly transcript: Transcript
  loads(skill: string): TimedSession
  says(text: string): TimedSession
  /** Makes the transcript so long with turns that name no skill. */
  pads(bytes: number): TimedSession
  /** A Bash call of which the model's record is in the transcript. */
  bash(event: HookEvent, command?: string): Fields
  stop(text: string): Fields
  /** Runs a hook outside of any measurement. */
  run(hook: string, payload: Fields): TimedSession
}

export function createStage(folder: string, packageRoot: string): Stage {
  mkdirSync(folder, { recursive: true })
  const home = mkdtempSync(join(folder, 'home-'))
  const [stateRoot, configDir, temporary] = [join(home, '.gstack'), join(home, '.claude'), join(home, 'tmp')]
  for (const made of [stateRoot, configDir, temporary]) mkdirSync(made)
  const env = {
    PATH: process.env['PATH'] ?? '/usr/bin:/bin',
    HOME: home,
    TMPDIR: temporary,
    LANG: 'C.UTF-8',
    GSTACK_STATE_ROOT: stateRoot,
    GSTACK_INVESTIGATE_GATE: 'on',
    CLAUDE_CONFIG_DIR: configDir,
    CLAUDE_PID: String(process.pid),
    CLAUDE_CODE_ENTRYPOINT: 'cli',
    // On a slow machine a figure is wanted, and no call that gave up.
    GSTACK_SKILL_GATE_DEADLINE_MS: '20000',
  }
  const stage: Stage = {
    home,
    stateRoot,
    configDir,
    env,
    hook: (name, payload, more = {}) => ({
      program: join(packageRoot, 'bin/gstack-hook'),
      args: [name],
      cwd: String(payload['cwd']),
      env: { ...env, ...more },
      input: `${JSON.stringify(payload)}\n`,
    }),
    program: (program, args, cwd = home) => ({ program, args, cwd, env }),
    session: (cwd) => createSession(stage, cwd),
  }
  return stage
}

function createSession(stage: Stage, cwd: string): TimedSession {
  const id = randomUUID()
  const file = join(stage.configDir, 'projects/-bench', `${id}.jsonl`)
  const transcript = createTranscript({ file, sessionId: id, cwd: () => cwd })
  const facts = { sessionId: id, transcript: file, cwd }
  transcript.user('Look at the failing build.')
  const session: TimedSession = {
    id,
    transcript,
    loads: (skill) => {
      loadSkill(transcript, skill, join(stage.configDir, 'skills', skill))['skill-tool']()
      return session
    },
    says: (text) => {
      transcript.assistant({ type: 'text', text })
      return session
    },
    pads: (bytes) => {
      padTranscript(transcript, bytes)
      return session
    },
    bash: (event, command = 'true') => {
      const call = { id: newCallId(), tool: 'Bash', input: { command } }
      transcript.toolUse(call.id, call.tool, call.input)
      return toolPayload(event, facts, call)
    },
    stop: (text) => stopPayload(facts, text),
    run: (hook, payload) => {
      timeOnce(stage.hook(hook, payload))
      return session
    },
  }
  return session
}

/** Longest result of a call among the turns that lengthen a transcript. */
const LONG_RESULT_BYTES = 8_000

function padTranscript(transcript: Transcript, bytes: number): void {
  const text = 'src/cart.ts: export function total(items) { return items.length }\n'
  const result = text.repeat(LONG_RESULT_BYTES / text.length)
  for (let written = 0; written < bytes; written += LONG_RESULT_BYTES + 1_500) {
    const id = newCallId()
    transcript.toolUse(id, 'Bash', { command: `sed -n 1,100p src/cart${written}.ts` })
    transcript.toolResult(id, result, { is_error: false })
  }
}

/** One that has a contract, and those that prompts are sent to. */
const NAMED = ['checked', 'investigate', 'review', 'qa', 'verify']

/** Skills as gstack has them: a name, triggers, prose, and for one of them a contract. */
export function installSkills(stage: Stage, count: number, contract: object): void {
  for (let n = 0; n < count; n++) {
    const name = NAMED[n] ?? `skill-${n}`
    const folder = join(stage.configDir, 'skills', name)
    mkdirSync(folder, { recursive: true })
    const fields = [
      `name: ${name}`,
      `description: What skill ${n} is for.`,
      `triggers:\n  - fix this bug\n  - find part ${n} of the plan\n  - ship release number ${n}`,
      ...(name === 'checked' ? [`contract: ${JSON.stringify(contract)}`] : []),
    ]
    const prose = 'A paragraph of instructions that the model follows.\n'.repeat(400)
    writeFileSync(join(folder, 'SKILL.md'), `---\n${fields.join('\n')}\n---\n\n# /${name}\n\n${prose}`)
  }
  // Younger ones are not cached.
  execFileSync('sleep', ['2.1'])
}
