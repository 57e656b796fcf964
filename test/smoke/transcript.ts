/** What the client itself wrote down about our hooks: one transcript as the checks ask for it. */

import { readFileSync } from 'node:fs'

export interface Transcript {
  /** Results of the calls of a tool, in the order of the calls; undefined where a call has none. */
  results(tool: string): readonly (CallResult | undefined)[]
  /** Contents of the `systemMessage`s that hooks sent. */
  readonly systemMessages: readonly string[]
  /** What hooks of that event blocked with, from the attachments. */
  blocks(event: string): readonly string[]
  /** Kinds of attachments that tell of a hook that failed, was killed or spoke no JSON. */
  readonly hookFailures: readonly string[]
}

export interface CallResult {
  readonly isError: boolean
  readonly text: string
}

interface Line {
  readonly type: string
  readonly message?: { readonly content: string | readonly ContentBlock[] }
  readonly attachment?: {
    readonly type: string
    readonly hookEvent?: string
    readonly content?: string
    readonly blockingError?: { readonly blockingError: string }
    readonly stderr?: string
    readonly stdout?: string
  }
}

interface ContentBlock {
  readonly type: string
  readonly id?: string
  readonly name?: string
  readonly tool_use_id?: string
  readonly is_error?: boolean
  readonly text?: string
  readonly content?: string | readonly ContentBlock[]
}

const HOOK_FAILURES = ['hook_non_blocking_error', 'hook_cancelled', 'hook_error_during_execution']

export function readTranscript(file: string): Transcript {
  const lines = readFileSync(file, 'utf8')
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Line)
  const blocksOf = (type: string): readonly ContentBlock[] =>
    lines.flatMap((line) =>
      line.type === type && Array.isArray(line.message?.content)
        ? (line.message.content as readonly ContentBlock[])
        : [],
    )
  const attachments = lines.flatMap(({ attachment }) => attachment ?? [])

  return {
    results: (tool) =>
      blocksOf('assistant')
        .filter(({ type, name }) => type === 'tool_use' && name === tool)
        .map(({ id }) => {
          const result = blocksOf('user').find(({ tool_use_id }) => tool_use_id === id)
          return result && { isError: result.is_error === true, text: textOf(result.content) }
        }),
    systemMessages: attachments
      .filter(({ type }) => type === 'hook_system_message')
      .map(({ content }) => content ?? ''),
    blocks: (event) =>
      attachments
        .filter(({ type, hookEvent }) => type === 'hook_blocking_error' && hookEvent === event)
        .map(({ blockingError }) => blockingError?.blockingError ?? ''),
    hookFailures: attachments
      .filter(({ type, stderr }) => HOOK_FAILURES.includes(type) || (type === 'hook_success' && stderr))
      .map(({ type, stderr, stdout }) => [type, stderr, stdout].filter(Boolean).join(': ')),
  }
}

function textOf(content: ContentBlock['content']): string {
  if (content === undefined || typeof content === 'string') return content ?? ''
  return content.map(({ text }) => text ?? '').join('\n')
}
