/** Writes a transcript as Claude Code does: one JSON record a line, in the order in which things happened. */

import { randomUUID } from 'node:crypto'
import { appendFileSync } from 'node:fs'

/** The client version whose record shapes these are. */
const CLIENT_VERSION = '2.1.332'

export interface Transcript {
  readonly file: string
  prompt(text: string): void
  /** One assistant message; each block becomes a record. */
  reply(blocks: readonly ReplyBlock[]): void
  /** What came back from a tool call. */
  result(toolUseId: string, content: string, options?: { isError?: boolean; toolUseResult?: unknown }): void
  /** The text of a skill, as the client hands it to the model after a Skill call. */
  skillText(toolUseId: string, text: string): void
}

export type ReplyBlock =
  | { readonly type: 'text'; readonly text: string }
  | { readonly type: 'tool_use'; readonly id: string; readonly name: string; readonly input: unknown }

export function openTranscript(at: {
  file: string
  cwd: string
  session: string
  promptId: string
}): Transcript {
  let parentUuid: string | null = null
  let replies = 0

  const append = (record: Record<string, unknown>) => {
    const uuid = randomUUID()
    const line = {
      parentUuid,
      isSidechain: false,
      ...record,
      uuid,
      timestamp: new Date().toISOString(),
      userType: 'external',
      entrypoint: 'cli',
      cwd: at.cwd,
      sessionId: at.session,
      version: CLIENT_VERSION,
      gitBranch: 'main',
    }
    appendFileSync(at.file, `${JSON.stringify(line)}\n`)
    parentUuid = uuid
  }
  const user = (content: unknown, more: Record<string, unknown> = {}) =>
    append({ promptId: at.promptId, type: 'user', message: { role: 'user', content }, ...more })

  return {
    file: at.file,
    prompt: (text) => user(text, { promptSource: 'typed', turnOrigin: 'human' }),
    reply(blocks) {
      replies += 1
      const calls = blocks.some((block) => block.type === 'tool_use')
      const message = {
        id: `msg_${String(replies)}`,
        type: 'message',
        role: 'assistant',
        model: 'demo',
        stop_reason: calls ? 'tool_use' : 'end_turn',
      }
      for (const block of blocks) append({ type: 'assistant', message: { ...message, content: [block] } })
    },
    result(toolUseId, content, { isError = false, toolUseResult } = {}) {
      const block = { tool_use_id: toolUseId, type: 'tool_result', content, is_error: isError }
      user([block], { toolUseResult: toolUseResult ?? content })
    },
    skillText: (toolUseId, text) =>
      user([{ type: 'text', text }], { isMeta: true, turnCompanion: true, sourceToolUseID: toolUseId }),
  }
}
