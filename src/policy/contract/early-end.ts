/** Runs that the skill itself ended early, so that nothing is due. */

import type { Contract } from '../../core/contract.ts'
import type { Message } from '../../transcript/contract-run.ts'
import { lastStatus } from '../../transcript/final-turn.ts'
import { reportsOf } from './report-labels.ts'
import { DEFAULT_MATCHERS } from './schema.ts'

export type EarlyEnd = 'STATUS: BLOCKED' | 'Nothing to review'

/**
 * Whether the last status that a turn ended with, or that a report of the contract states, is BLOCKED, or a turn ended
 * with a line that starts `Nothing to review`. Later turns without a status change nothing.
 */
export function earlyEnd(contract: Contract, messages: readonly Message[]): EarlyEnd | undefined {
  const reports = contract.items.flatMap((item) => (item.kind === 'report_labels' ? [item] : []))
  const status = messages
    .flatMap((message) => {
      if (message.endsTurn) return lastStatus(message.text) ?? []
      const lines = reports.flatMap(({ heading, labels }) => reportsOf([message], heading, labels).flat())
      return lastStatus(lines.join('\n')) ?? []
    })
    .at(-1)
  if (status === 'BLOCKED') return 'STATUS: BLOCKED'
  return messages.some(({ text, endsTurn }) => endsTurn && hasNothingToDo(text))
    ? 'Nothing to review'
    : undefined
}

const hasNothingToDo = (text: string): boolean =>
  text.split('\n').some((line) => line.replace(/^[\s>#*_`-]+/, '').startsWith(DEFAULT_MATCHERS.nothing_to_do))
