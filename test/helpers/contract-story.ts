import { readEvents, type TranscriptEvent } from '../../src/transcript/event.ts'
import type { Fields } from './transcript.ts'

export interface CallOptions {
  /** What the call printed; `undefined` leaves the result out. */
  readonly result?: string | undefined
  readonly isError?: boolean
  /** Extra fields of the result's record. */
  readonly record?: Fields
}

/** A session in memory, in the shapes that the client writes; each call appends. */
export interface Story {
  readonly lines: string[]
  readonly text: () => string
  readonly events: () => readonly TranscriptEvent[]
  prompts(text: string): Story
  typed(skill: string, args?: string): Story
  loads(skill: string, options?: CallOptions): Story
  /** One message with these text blocks. */
  says(...texts: string[]): Story
  calls(tool: string, input: Fields, options?: CallOptions): Story
  edits(file?: string, options?: CallOptions): Story
  bash(command: string, options?: CallOptions): Story
  /** A dispatch that has ended. */
  agent(description: string, options?: CallOptions): Story
  /** A dispatch in the background. */
  launches(description: string, agentId: string): Story
  /** The notice that an agent has ended. */
  notices(agentId: string): Story
  record(record: Fields): Story
}

const FIRST_MS = Date.UTC(2026, 10, 20, 10)

export const DENIED: CallOptions = {
  result: 'PreToolUse:Edit hook error: no',
  isError: true,
  record: { permissionDecision: { decision: 'reject', source: 'hook' } },
}
export const FAILED: CallOptions = { result: 'Exit code 1', isError: true }
export const UNANSWERED: CallOptions = { result: undefined }

export function story(): Story {
  const lines: string[] = []
  let [message, call] = [0, 0]
  const add = (record: Fields): Story => {
    const timestamp = new Date(FIRST_MS + lines.length * 1_000).toISOString()
    lines.push(JSON.stringify({ isSidechain: false, cwd: '/repo', sessionId: 's1', timestamp, ...record }))
    return self
  }
  const assistant = (content: Fields): Story =>
    add({ type: 'assistant', message: { id: `msg_${message}`, role: 'assistant', content: [content] } })
  const user = (content: unknown, extra: Fields = {}): Story => {
    message += 1
    return add({ type: 'user', message: { role: 'user', content }, ...extra })
  }
  const self: Story = {
    lines,
    text: () => lines.map((line) => `${line}\n`).join(''),
    events: () => lines.flatMap((line, index) => readEvents(line, index)),
    prompts: (text) => user(text),
    typed: (skill, args) =>
      user(
        `<command-message>${skill}</command-message>\n<command-name>/${skill}</command-name>` +
          (args === undefined ? '' : `\n<command-args>${args}</command-args>`),
      ),
    loads: (skill, options = { result: `Launching skill: ${skill}` }) =>
      self.calls('Skill', { skill }, options),
    says: (...texts) => {
      message += 1
      for (const text of texts) assistant({ type: 'text', text })
      return self
    },
    calls: (tool, input, options = {}) => {
      call += 1
      const id = `toolu_${call}`
      assistant({ type: 'tool_use', id, name: tool, input })
      if ('result' in options && options.result === undefined) return self
      const result = {
        type: 'tool_result',
        tool_use_id: id,
        content: options.result ?? 'ok',
        ...(options.isError === true ? { is_error: true } : {}),
      }
      return user([result], options.record)
    },
    edits: (file = 'src/auth.ts', options) =>
      self.calls('Edit', { file_path: file, old_string: 'a', new_string: 'b' }, options),
    bash: (command, options) => self.calls('Bash', { command }, options),
    agent: (description, options) =>
      self.calls(
        'Agent',
        { description, prompt: 'Look at the diff.', subagent_type: 'general-purpose' },
        options,
      ),
    launches: (description, agentId) =>
      self.agent(description, {
        result: `Async agent launched successfully.\nagentId: ${agentId} (internal ID)`,
        record: { toolUseResult: { isAsync: true, status: 'async_launched', agentId } },
      }),
    notices: (agentId) =>
      user(
        `<task-notification>\n<task-id>${agentId}</task-id>\n<status>completed</status>\n<result>fine</result>\n</task-notification>`,
      ),
    record: add,
  }
  return self
}

/** What a session says that did all that the example's contract asks. */
export const REPORT = [
  'DEBUG REPORT',
  '════════════',
  'Symptom:      login fails without a token',
  'Root cause:   src/auth.ts:12 reads a missing token',
  'Fix:          return early',
  'Evidence:     bun test: 12 pass',
  'Status:       DONE',
].join('\n')

/** The contract block of the docs' example. */
export const EXAMPLE_CONTRACT = {
  version: 1,
  items: [
    {
      id: 'debug-report',
      kind: 'report_labels',
      heading: 'DEBUG REPORT',
      labels: ['Symptom', 'Root cause', 'Fix', 'Evidence'],
    },
    { id: 'repro-after-fix', kind: 'check_after_last_edit' },
  ],
} as const
