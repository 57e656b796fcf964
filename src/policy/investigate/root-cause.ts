/**
 * What a reply must contain to release the /investigate gate.
 *
 * The label is the skill's own (`Root cause:` of its debug report), so a model that follows the skill releases the gate
 * without knowing of it. Text inside tool results never reaches this file.
 */

import { isHedge, isPlaceholder } from '../placeholder.ts'

export type StatedCause =
  | { readonly kind: 'accepted'; readonly cause: string }
  | { readonly kind: 'rejected'; readonly value: string; readonly why: 'placeholder' | 'hedge' }
  | { readonly kind: 'none' }

/** The label behind list, bold or heading marks, in any case; `Root cause hypothesis:` is another label. */
const LABEL =
  /^\s*(?:(?:[-*+•]|\d+[.)])\s+)?(?:#{1,6}\s+)?(?:\*\*|__|\*|_|`)*\s*root\s+cause\s*(?:\*\*|__|\*|_|`)*\s*[::]\s*(?:\*\*|__|\*|_|`)*(.*)$/iu

/**
 * Reads the root cause that one reply states. Quoted lines (`>`) speak for somebody else and do not count, nor do fenced
 * blocks, except one with the heading DEBUG REPORT.
 *
 * @param reply may be reduced to the lines that mention a root cause and the fences around them
 * @returns the last accepted cause of the reply, else the last rejected value
 */
export function readStatedCause(reply: string): StatedCause {
  let rejected: StatedCause = { kind: 'none' }
  let accepted: StatedCause | undefined
  for (const value of labelledValues(reply)) {
    const cause = value.replace(/(?:\*\*|__|\*|_|`)+\s*$/, '').trim()
    if (isPlaceholder(cause)) rejected = { kind: 'rejected', value: cause, why: 'placeholder' }
    else if (isHedge(cause)) rejected = { kind: 'rejected', value: cause, why: 'hedge' }
    else accepted = { kind: 'accepted', cause }
  }
  return accepted ?? rejected
}

/** Values behind the label, outside fences; a fenced debug report counts, since the skill shows its report in a fence. */
function labelledValues(reply: string): string[] {
  const values: string[] = []
  let fence: { readonly marks: string; readonly values: string[]; isReport: boolean } | undefined
  for (const line of reply.split(/\r?\n/)) {
    const marks = /^\s*(`{3,}|~{3,})/.exec(line)?.[1]
    if (fence === undefined && marks !== undefined) {
      fence = { marks, values: [], isReport: false }
      continue
    }
    if (fence !== undefined && marks?.startsWith(fence.marks) === true && line.trim() === marks) {
      if (fence.isReport) values.push(...fence.values)
      fence = undefined
      continue
    }
    if (fence !== undefined && /\bDEBUG REPORT\b/.test(line)) fence.isReport = true
    const value = LABEL.exec(line)?.[1]?.trim()
    if (value !== undefined) (fence?.values ?? values).push(value)
  }
  if (fence?.isReport === true) values.push(...fence.values)
  return values
}
