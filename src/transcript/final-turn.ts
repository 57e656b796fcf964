/**
 * Whether a turn ended for good or waits for its user. Gates and contracts share this rule, so that a session which
 * asks something is held by neither.
 */

import type { SessionKind } from '../core/session-kind.ts'
import type { LastMessage } from './last-message.ts'

/** How a turn ended. */
export interface TurnEnd {
  /** Text blocks of the last message, oldest first; may be empty. */
  readonly texts: readonly string[]
  /** Tools that this message called and that have not answered. */
  readonly openTools: readonly string[]
}

/**
 * Joins what the transcript and the payload know of the last message. The transcript may lack it still, and the payload
 * has only its last text block.
 *
 * @param payloadText `last_assistant_message`
 */
export function turnEndOf(last: LastMessage, payloadText: string | undefined): TurnEnd {
  const text = payloadText?.trim() ?? ''
  if (text === '') return { texts: last.texts, openTools: last.answered ? [] : last.tools }
  const isOnDisk = last.texts.some((other) => other.trim() === text)
  if (last.answered) return { texts: isOnDisk ? last.texts : [text], openTools: [] }
  return { texts: isOnDisk ? last.texts : [...last.texts, text], openTools: last.tools }
}

/**
 * A turn is final when it has a STATUS line other than NEEDS_CONTEXT, when nobody answers in this session, or when it
 * does not end on a question. A subagent is answered by nobody: its kind is `unattended`.
 */
export function isFinalTurn(end: TurnEnd, kind: SessionKind): boolean {
  if (kind !== 'interactive') return true
  const status = lastStatus(end.texts.join('\n'))
  if (status !== undefined) return status !== 'NEEDS_CONTEXT'
  return !endsOnQuestion(end)
}

export type Status = 'DONE' | 'DONE_WITH_CONCERNS' | 'BLOCKED' | 'NEEDS_CONTEXT'

/** A template that offers several values (`DONE | BLOCKED`) states none, and a quoted line is somebody else's. */
const STATUS_LINE =
  /^[ \t*_#`-]*status[ \t*_`]*:[ \t*_`]*(DONE_WITH_CONCERNS|DONE|BLOCKED|NEEDS_CONTEXT)\b(?![ \t*_`]*\|)/gim

/** The last completion status that a text states, in capitals as the skills write it; bold, bullets and fences do not matter. */
export function lastStatus(text: string): Status | undefined {
  const values = [...text.matchAll(STATUS_LINE)].map((match) => match[1])
  return values.findLast((value): value is Status => value !== undefined && value === value.toUpperCase())
}

function endsOnQuestion(end: TurnEnd): boolean {
  return (
    end.openTools.some(isQuestionTool) ||
    hasDecisionBrief(end.texts.join('\n')) ||
    closesWithQuestion(end.texts.at(-1) ?? '')
  )
}

/** The client's own tool, or a host's under an MCP name. */
const isQuestionTool = (tool: string): boolean => /^(?:mcp__.+__)?AskUserQuestion$/.test(tool)

/** A decision that a skill puts to its user in prose: a `D<number>` title, later a `Recommendation:` line. */
function hasDecisionBrief(text: string): boolean {
  const lines = text.split('\n')
  const title = lines.findIndex((line) => /^[\s#*_]*D\d+(?:\.\d+)?\b[\s*_]*(?:[—–:-]|$)/.test(line))
  return title !== -1 && lines.slice(title + 1).some((line) => /^[\s*_#-]*recommendation[\s*_]*:/i.test(line))
}

/** Room for a question mark and the marks that close around it; bounds the search for them. */
const CLOSING_CHARS = 200

/** The last paragraph ends in a question mark; the lettered options of that question may follow it. */
function closesWithQuestion(text: string): boolean {
  const lines = text.split('\n').filter((line) => line.trim() !== '')
  const last = lines.findLast((line) => !/^[\s*_-]*\(?[A-Za-z][).]/.test(line)) ?? ''
  return /[?？؟]$/.test(last.slice(-CLOSING_CHARS).replace(/[\s*_`"'”’»)\]]+$/u, ''))
}
