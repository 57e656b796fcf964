/**
 * Writes a session's transcript as the client does: one record per content block, in the shapes that Claude Code
 * 2.1.318 to 2.1.332 write. Only fields that carry no meaning for a reader are left out (usage, request ids).
 */
import { randomUUID } from 'node:crypto'
import { appendFileSync, mkdirSync } from 'node:fs'
import { dirname } from 'node:path'

export interface TranscriptOptions {
  readonly file: string
  readonly sessionId: string
  /** The working directory that the next record has. */
  readonly cwd: () => string
  /** Set in a subagent's own file. */
  readonly agentId?: string
}

export type Fields = Readonly<Record<string, unknown>>

/** One transcript file that is appended to. */
export interface Transcript {
  readonly file: string
  user(content: unknown, extra?: Fields): void
  assistant(block: Fields, extra?: Fields): void
  attachment(attachment: Fields): void
  /** A record without the fields of a conversation, such as `queue-operation`. */
  bare(record: Fields): void
  toolUse(id: string, name: string, input: Fields, extra?: Fields): void
  toolResult(id: string, content: unknown, extra?: Fields & { readonly is_error?: boolean }): void
  /** Bytes as they are, for broken files. */
  raw(text: string | Buffer): void
}

export function createTranscript(options: TranscriptOptions): Transcript {
  const { file, sessionId, agentId } = options
  let [parentUuid, message, block]: [string | null, number, number] = [null, 0, 0]
  mkdirSync(dirname(file), { recursive: true })

  const append = (record: Fields) => appendFileSync(file, `${JSON.stringify(record)}\n`)
  const speak = (record: Fields) => {
    const uuid = randomUUID()
    append({
      parentUuid,
      isSidechain: agentId !== undefined,
      ...(agentId === undefined ? {} : { agentId }),
      timestamp: new Date().toISOString(),
      ...record,
      uuid,
      userType: 'external',
      entrypoint: 'sdk-cli',
      cwd: options.cwd(),
      sessionId,
      version: '2.1.318',
      gitBranch: 'main',
    })
    parentUuid = uuid
  }

  const transcript: Transcript = {
    file,
    user: (content, extra = {}) => {
      ;[message, block] = [message + 1, 0]
      speak({ promptId: PROMPT_ID, type: 'user', message: { role: 'user', content }, ...extra })
    },
    assistant: (content, extra = {}) =>
      speak({
        message: {
          id: `msg_${String(message)}`,
          type: 'message',
          role: 'assistant',
          model: 'claude-opus-5-5',
          content: [content],
        },
        apiBlockIndex: block++,
        type: 'assistant',
        ...extra,
      }),
    attachment: (attachment) => speak({ attachment, type: 'attachment' }),
    bare: (record) => append({ ...record, sessionId }),
    toolUse: (id, name, input, extra) => transcript.assistant({ type: 'tool_use', id, name, input }, extra),
    toolResult: (id, content, { is_error, ...extra } = {}) => {
      const result = {
        tool_use_id: id,
        type: 'tool_result',
        content,
        ...(is_error === undefined ? {} : { is_error }),
      }
      transcript.user([result], extra)
    },
    raw: (text) => appendFileSync(file, text),
  }
  return transcript
}

/** One per prompt in the client; the tests' sessions have one prompt. */
export const PROMPT_ID = 'c63c6bf0-3120-4328-8fef-30955e690f55'
