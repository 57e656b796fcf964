/**
 * A stand-in for Claude Code: keeps a transcript, and asks the hooks of a settings file about each call, as separate
 * processes with payloads on standard input. It knows nothing about gates.
 */

import { randomUUID } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

import type { GateSettings } from '../settings.ts'
import { runShell, type ShellResult } from '../shell.ts'
import { askHooks, type HookAnswer } from './hooks.ts'
import { openTranscript, type ReplyBlock } from './transcript.ts'
import type { World } from './world.ts'

export interface Client {
  readonly session: string
  loadSkill(name: string): Promise<HookAnswer>
  read(path: string): void
  /** Says the text and edits in the same message; the edit is made when no hook denies it. */
  edit(path: string, change: { from: string; to: string; saying?: string }): Promise<HookAnswer>
  /** Runs the command for real; the answer is that of the hooks after it. */
  bash(command: string): Promise<HookAnswer>
  stop(text: string): Promise<HookAnswer>
}

export function startClient(world: World, settings: GateSettings, prompt: string): Client {
  const session = randomUUID()
  const promptId = randomUUID()
  const file = join(world.home, '.claude/projects/basket', `${session}.jsonl`)
  mkdirSync(dirname(file), { recursive: true })
  const transcript = openTranscript({ file, cwd: world.repository, session, promptId })
  const env = { ...world.env, ...settings.env, CLAUDE_CODE_SESSION_ID: session }
  let calls = 0
  transcript.prompt(prompt)

  const ask = (event: string, fields: Record<string, unknown>) => {
    const payload = {
      session_id: session,
      transcript_path: file,
      cwd: world.repository,
      prompt_id: promptId,
      permission_mode: 'acceptEdits',
      hook_event_name: event,
      ...fields,
    }
    return askHooks(settings, { cwd: world.repository, env }, payload)
  }
  const callTool = (name: string, input: Record<string, unknown>, saying?: string) => {
    calls += 1
    const id = `toolu_demo_${String(calls)}`
    const words: readonly ReplyBlock[] = saying === undefined ? [] : [{ type: 'text', text: saying }]
    transcript.reply([...words, { type: 'tool_use', id, name, input }])
    return { tool_name: name, tool_input: input, tool_use_id: id }
  }

  return {
    session,

    async loadSkill(name) {
      const call = callTool('Skill', { skill: name })
      const answer = await ask('PreToolUse', call)
      const toolUseResult = { success: true, commandName: name }
      transcript.result(call.tool_use_id, `Launching skill: ${name}`, { toolUseResult })
      const directory = join(world.home, '.claude/skills', name)
      const text = readFileSync(join(directory, 'SKILL.md'), 'utf8')
      transcript.skillText(call.tool_use_id, `Base directory for this skill: ${directory}\n\n${text}`)
      return answer
    },

    read(path) {
      const call = callTool('Read', { file_path: join(world.repository, path) })
      transcript.result(call.tool_use_id, readFileSync(join(world.repository, path), 'utf8'))
    },

    async edit(path, { from, to, saying }) {
      const target = join(world.repository, path)
      const input = { file_path: target, old_string: from, new_string: to, replace_all: false }
      const call = callTool('Edit', input, saying)
      const answer = await ask('PreToolUse', call)
      if (answer.block !== undefined) {
        transcript.result(call.tool_use_id, answer.block, {
          isError: true,
          toolUseResult: `Error: ${answer.block}`,
        })
        return answer
      }
      writeFileSync(target, readFileSync(target, 'utf8').replace(from, to))
      transcript.result(call.tool_use_id, `The file ${target} has been updated.`)
      return answer
    },

    async bash(command) {
      const call = callTool('Bash', { command })
      const before = await ask('PreToolUse', call)
      if (before.block !== undefined) return before
      const done = await runShell(command, { cwd: world.repository, env: world.env })
      const isFailure = done.exitCode !== 0
      const answer = await ask(isFailure ? 'PostToolUseFailure' : 'PostToolUse', {
        ...call,
        ...(isFailure ? failureOf(done) : { tool_response: responseOf(done) }),
        duration_ms: Math.round(done.durationMs),
      })
      transcript.result(call.tool_use_id, done.stdout + done.stderr, { isError: isFailure })
      return { ...answer, systemMessages: [...before.systemMessages, ...answer.systemMessages] }
    },

    async stop(text) {
      transcript.reply([{ type: 'text', text }])
      return ask('Stop', {
        stop_hook_active: false,
        last_assistant_message: text,
        background_tasks: [],
        session_crons: [],
      })
    },
  }
}

const failureOf = (done: ShellResult) => ({
  error: `Exit code ${String(done.exitCode ?? 137)}\n${done.stdout}${done.stderr}`,
  is_interrupt: false,
})

const responseOf = (done: ShellResult) => ({
  stdout: done.stdout,
  stderr: done.stderr,
  interrupted: false,
  isImage: false,
  noOutputExpected: false,
})
