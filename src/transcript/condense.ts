/**
 * Events without what no contract asks of them: a session's transcript grows to megabytes, nearly all of it output of tools
 * that a check never looks at.
 */

import { backgroundAgent, headOfNotice, HOOK_FEEDBACK, isAgentCall } from './contract-run.ts'
import type { EventOf, TranscriptEvent } from './event.ts'
import { typedSkill } from './skill-load.ts'

/**
 * Gives the same loads, runs and checks as the events themselves, as long as the contract looks for no other words.
 *
 * @param events from the start of the session
 * @param words lines of output that have none of them are left out; an empty one keeps all
 */
export function condenseEvents(
  events: readonly TranscriptEvent[],
  words: readonly string[],
): readonly TranscriptEvent[] {
  const bashCalls = new Set(
    events.flatMap((event) => (event.kind === 'call' && event.tool === 'Bash' ? [event.callId] : [])),
  )
  return events.map((event): TranscriptEvent => {
    const { cwd: _, ...placed } = event
    const place = { ...placed, cwd: undefined }
    switch (event.kind) {
      case 'prompt':
        return { ...place, kind: 'prompt', text: tellingPart(event.text), isMeta: event.isMeta }
      case 'call':
        return { ...event, input: tellingInput(event) }
      case 'result': {
        const { callId, isError, refused } = event
        const agentId = backgroundAgent(event)
        return {
          ...place,
          kind: 'result',
          callId,
          isError,
          refused,
          text: bashCalls.has(callId) ? tellingLines(event.text, words) : '',
          details: agentId === undefined ? undefined : { isAsync: true, agentId },
        }
      }
      case 'other':
        return event.notice === undefined ? event : { ...event, notice: headOfNotice(event.notice) }
      case 'reply':
      case 'cancelled-hook':
      case 'unknown':
        return event
    }
  })
}

/** Of a notice the head, which names its agent; of what a hook said, that it did. */
function tellingPart(prompt: string): string {
  if (typedSkill(prompt) !== undefined) return prompt
  if (prompt.startsWith('<task-notification>')) return headOfNotice(prompt)
  return prompt.startsWith(HOOK_FEEDBACK) ? HOOK_FEEDBACK : ''
}

function tellingInput({ tool, input }: EventOf<'call'>): Readonly<Record<string, unknown>> {
  if (tool === 'Skill' || isAgentCall({ tool })) return input
  if (tool === 'Bash') return { command: input['command'] }
  return tool === 'Read' ? { file_path: input['file_path'] } : {}
}

/** Where the first line says nothing an empty one stands for it, so that no other becomes the start. */
function tellingLines(text: string, words: readonly string[]): string {
  const isTelling = (line: string): boolean => {
    const plain = line.replace(/\*\*|`/g, '')
    return line.includes('SKILL_CONTRACT_') || words.some((word) => plain.includes(word))
  }
  const [first = '', ...others] = text.split(/\r\n|\n|\r/)
  return [isTelling(first) ? first : '', ...others.filter(isTelling)].join('\n')
}
