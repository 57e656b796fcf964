/**
 * A session as a story: what the model said and did goes into a transcript, and hooks run where the client runs them.
 * Methods that write only records are named in the third person (`says`, `reads`); those that run hooks are
 * imperatives (`bash`, `edit`, `stop`).
 */
import { randomUUID } from 'node:crypto'
import { writeFileSync, mkdirSync } from 'node:fs'
import { dirname, isAbsolute, join, resolve } from 'node:path'
import { agentTranscriptOf, stopPayload, toolPayload, type HookEvent, type ToolCall } from './payload.ts'
import { runHook, type HookAnswer, type HookRunOptions } from './run-hook.ts'
import {
  loadSkill,
  newCallId,
  recordBlock,
  recordDenial,
  recordStopBlock,
  recordSystemMessage,
  RESULTS,
  type LoadVia,
} from './session-records.ts'
import { createTranscript, type Fields, type Transcript } from './transcript.ts'
import type { Ran, World } from './world.ts'

export interface SessionOptions {
  readonly cwd: string
  readonly id?: string
  readonly agent?: { readonly id: string; readonly type: string }
}

export type EditTool = 'Edit' | 'Write' | 'MultiEdit' | 'NotebookEdit'
/** The four kinds of call at which a change can be found. */
export type CheckEvent = 'PreToolUse' | 'PostToolUse' | 'PostToolUseFailure' | 'Stop'
export const CHECK_EVENTS = ['PreToolUse', 'PostToolUse', 'PostToolUseFailure', 'Stop'] as const

export interface HookCall {
  readonly tool?: string
  readonly command?: string
  readonly input?: Fields
  readonly id?: string
  /** False: the call's own record is not in the transcript yet, as it often is with the client. */
  readonly recorded?: boolean
  /** What the message says before the call. */
  readonly says?: string
  /** Fields of the payload to replace; undefined leaves one out. */
  readonly payload?: Fields
  readonly run?: HookRunOptions
}

export interface BashOutcome {
  readonly pre: HookAnswer
  /** Absent when the call was denied. */
  readonly ran: Ran | undefined
  readonly post: HookAnswer | undefined
}

export interface Session {
  readonly id: string
  readonly transcript: Transcript
  /** Where the next call happens; a test may move it. */
  cwd: string
  /** `record.json` and the kept copies are in here. */
  readonly stateFolder: string

  prompts(text: string): Session
  loads(skill: string, via?: LoadVia): Session
  says(text: string): Session
  reads(path: string, outcome?: 'ok' | 'error' | 'denied' | 'rejected'): Session
  greps(pattern: string): Session
  /** A Bash call of the past, with no hook. */
  ranBash(command: string, exitCode?: number): Session
  /** A subagent of this session, with its own transcript beside the main one. */
  subagent(id?: string, type?: string): Session

  hook(event: HookEvent, call?: HookCall): Promise<HookAnswer>
  /** A first Bash call that does nothing; it stays open, so that a PostToolUse check belongs to it. */
  arm(): Promise<HookAnswer>
  /** The next hook call of that kind, with a Bash call that does nothing. */
  check(event: CheckEvent): Promise<HookAnswer>
  /** PreToolUse, the command itself unless denied, PostToolUse or PostToolUseFailure. */
  bash(command: string, call?: HookCall): Promise<BashOutcome>
  /** PreToolUse of an edit tool; the content is written unless the call was denied. */
  edit(path: string, content: string, call?: HookCall & { readonly tool?: EditTool }): Promise<HookAnswer>
  /** The end of a turn that says `text` last. */
  stop(text?: string, call?: Pick<HookCall, 'payload' | 'run'>): Promise<HookAnswer>
}

export function createSession(world: World, options: SessionOptions): Session {
  const id = options.id ?? randomUUID()
  const main = join(world.configDir, 'projects', options.cwd.replace(/[^A-Za-z0-9]/g, '-'), `${id}.jsonl`)
  const { agent } = options
  const transcript = createTranscript({
    file: agent === undefined ? main : agentTranscriptOf(main, agent.id),
    sessionId: id,
    cwd: () => session.cwd,
    ...(agent === undefined ? {} : { agentId: agent.id }),
  })
  let open: ToolCall | undefined
  let lastSaid = ''

  const facts = () => ({ sessionId: id, transcript: main, cwd: session.cwd, agent })
  const send = (payload: Fields, call: HookCall) =>
    runHook(
      world,
      { ...payload, ...call.payload },
      { env: { ...world.env, CLAUDE_CODE_SESSION_ID: id }, ...call.run },
    )

  const record = (tool: string, input: Fields, result: () => readonly [content: unknown, extra?: Fields]) => {
    const callId = newCallId()
    transcript.toolUse(callId, tool, input)
    transcript.toolResult(callId, ...result())
    return session
  }

  const session: Session = {
    id,
    transcript,
    cwd: options.cwd,
    stateFolder: join(world.stateRoot, 'skill-gates', id),

    prompts: (text) => {
      transcript.bare({ type: 'queue-operation', operation: 'enqueue', content: text })
      transcript.bare({ type: 'queue-operation', operation: 'dequeue' })
      transcript.user(text, { permissionMode: 'acceptEdits', promptSource: 'sdk', turnOrigin: 'sdk' })
      return session
    },
    loads: (skill, via = 'skill-tool') => {
      const folder = join(world.configDir, 'skills', skill)
      loadSkill(transcript, skill, folder)[via]()
      return session
    },
    says: (text) => {
      transcript.assistant({ type: 'text', text })
      lastSaid = text
      return session
    },
    reads: (path, outcome = 'ok') => record('Read', { file_path: path }, () => RESULTS[outcome]),
    greps: (pattern) => record('Grep', { pattern }, () => ['Found 1 file\nsrc/cart.js']),
    ranBash: (command, exitCode = 0) =>
      record('Bash', { command }, () =>
        exitCode === 0
          ? ['', { is_error: false, toolUseResult: { stdout: '', stderr: '', interrupted: false } }]
          : [
              `Exit code ${String(exitCode)}`,
              { is_error: true, toolUseResult: `Error: Exit code ${String(exitCode)}` },
            ],
      ),
    subagent: (agentId = `a${randomUUID().replaceAll('-', '').slice(0, 16)}`, type = 'general-purpose') => {
      const subagent = createSession(world, { ...options, id, agent: { id: agentId, type } })
      subagent.transcript.user('Look at the cart.')
      return subagent
    },

    hook: async (event, call = {}) => {
      if (event === 'Stop' || event === 'SubagentStop') {
        const answer = await send(stopPayload(facts(), lastSaid), call)
        if (answer.decision === 'block') recordStopBlock(transcript, event, answer.reason)
        return answer
      }
      if (event === 'PreToolUse') open = undefined
      const isOpen = open !== undefined && (call.id ?? open.id) === open.id
      const current = isOpen && open !== undefined ? open : openCall(call, session.cwd)
      if (!isOpen && call.recorded !== false) {
        if (call.says !== undefined) session.says(call.says)
        transcript.toolUse(current.id, current.tool, current.input)
      }
      const answer = await send(toolPayload(event, facts(), current), call)
      if (answer.systemMessage !== '') recordSystemMessage(transcript, event, current, answer)
      open = event === 'PreToolUse' && answer.decision === undefined ? current : undefined
      if (event === 'PreToolUse' && answer.decision === 'deny')
        recordDenial(transcript, current, answer.reason)
      if (event === 'PostToolUse') transcript.toolResult(current.id, '', { is_error: false })
      if (event === 'PostToolUseFailure') transcript.toolResult(current.id, 'Exit code 1', { is_error: true })
      if (event !== 'PreToolUse' && answer.decision === 'block')
        recordBlock(transcript, event, current, answer.reason)
      return answer
    },
    arm: () => session.hook('PreToolUse', { command: ':' }),
    check: (event) => session.hook(event, { command: ':' }),
    bash: async (command, call = {}) => {
      const pre = await session.hook('PreToolUse', { ...call, command })
      if (pre.decision === 'deny') return { pre, ran: undefined, post: undefined }
      const ran = await world.run('bash', ['-c', command], {
        cwd: session.cwd,
        env: { ...world.env, ...QUIET_GIT },
      })
      const post = await session.hook(ran.exitCode === 0 ? 'PostToolUse' : 'PostToolUseFailure', call)
      return { pre, ran, post }
    },
    edit: async (path, content, { tool = 'Edit', ...call } = {}) => {
      const answer = await session.hook('PreToolUse', {
        tool,
        input: editInput(tool, path, content),
        ...call,
      })
      if (answer.decision === 'deny') return answer
      const target = isAbsolute(path) ? path : resolve(session.cwd, path)
      mkdirSync(dirname(target), { recursive: true })
      writeFileSync(target, content)
      if (open !== undefined)
        transcript.toolResult(open.id, `The file ${target} has been updated successfully.`)
      open = undefined
      return answer
    },
    stop: (text = 'Done.', call = {}) => session.says(text).hook('Stop', call),
  }
  return session
}

/** The agent's git asks nobody and reads only HOME's configuration. */
const QUIET_GIT = { GIT_CONFIG_SYSTEM: '/dev/null', GIT_EDITOR: 'true', GIT_TERMINAL_PROMPT: '0' }

function openCall(
  { tool = 'Bash', command = ':', input, id = newCallId() }: HookCall,
  cwd: string,
): ToolCall {
  if (tool === 'Bash') return { id, tool, input: input ?? { command } }
  const path = input?.['file_path']
  // The client resolves a relative path before the hook sees it, except where a test says otherwise by `payload`.
  const absolute = typeof path === 'string' && path !== '' ? { file_path: resolve(cwd, path) } : {}
  return { id, tool, input: { ...input, ...absolute } }
}

function editInput(tool: EditTool, path: string, content: string): Fields {
  switch (tool) {
    case 'Edit':
      return { file_path: path, old_string: 'old', new_string: content, replace_all: false }
    case 'Write':
      return { file_path: path, content }
    case 'MultiEdit':
      return { file_path: path, edits: [{ old_string: 'old', new_string: content }] }
    case 'NotebookEdit':
      return { notebook_path: path, cell_id: 'c1', new_source: content }
  }
}
