import type { SkillRun } from '../../transcript/facts.ts'
import { readStatedCause, type StatedCause } from './root-cause.ts'

export type CauseFinding = StatedCause | { readonly kind: 'not-looked'; readonly value: string }

/**
 * Whether a run's replies release it. Order is by line: a reply counts when a look's result stands before it, and when
 * it stands before the call that is judged.
 *
 * @param beforeLine line of that call's own record; undefined when it is not in the file yet, or for a stop
 * @param lastMessage the turn's final text, which may not be in the file yet
 */
export function findCause(
  run: SkillRun,
  beforeLine: number | undefined,
  lastMessage: string | undefined,
): CauseFinding {
  const inTime = run.statements.filter(({ line }) => beforeLine === undefined || line < beforeLine)
  const { lookedAtLine } = run
  const texts = inTime
    .filter(({ line }) => lookedAtLine !== undefined && line > lookedAtLine)
    .map(({ text }) => text)
  if (lookedAtLine !== undefined && lastMessage !== undefined) texts.push(lastMessage)
  const found = last(texts.map(readStatedCause))
  if (found.kind !== 'none') return found

  const early = last(
    [...inTime.map(({ text }) => text), ...(lastMessage === undefined ? [] : [lastMessage])].map(
      readStatedCause,
    ),
  )
  return early.kind === 'accepted' ? { kind: 'not-looked', value: early.cause } : early
}

/** The last accepted cause, else the last rejected one. */
function last(causes: readonly StatedCause[]): StatedCause {
  return (
    causes.findLast(({ kind }) => kind === 'accepted') ??
    causes.findLast(({ kind }) => kind === 'rejected') ?? { kind: 'none' }
  )
}
