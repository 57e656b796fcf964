/** One run of a skill against its contract: each item met, missing or waived, in words of the contract. */

import { oneLine } from '../../core/printable.ts'
import type { Contract, ContractItem, FirstMatch } from '../../core/contract.ts'
import { EDIT_TOOLS } from '../../core/tools.ts'
import type { Call, SkillRun } from '../../transcript/contract-run.ts'
import { isFailed } from '../../transcript/contract-run.ts'
import { earlyEnd, type EarlyEnd } from './early-end.ts'
import { labelsWithoutValue } from './report-labels.ts'
import { DEFAULT_MATCHERS } from './schema.ts'
import { dispatchesOf, notDispatched, readSelection } from './specialists.ts'
import { isTestCommand } from './test-command.ts'
import { readWaivers } from './waivers.ts'

export interface ItemResult {
  readonly item: ContractItem
  readonly state: 'met' | 'missing' | 'waived'
  /** What was found, or what was not. */
  readonly why: string
}

export interface RunCheck {
  readonly skill: string
  readonly contract: Contract
  readonly endedEarly: EarlyEnd | undefined
  /** In the order of the contract. */
  readonly items: readonly ItemResult[]
}

/**
 * Checks a run; the same run always gives the same answer.
 *
 * @param firstMatch applies the patterns that the skill's author wrote, which may throw when one takes too long
 */
export function checkRun(contract: Contract, run: SkillRun, firstMatch: FirstMatch): RunCheck {
  const { skill } = run.load
  const endedEarly = earlyEnd(contract, run.messages)
  const waivers = readWaivers(run.calls, skill)
  const items = contract.items.map((item): ItemResult => {
    if (endedEarly !== undefined) return { item, state: 'met', why: `the run ended early: ${endedEarly}` }
    const found = checkItem(item, run, firstMatch)
    if (found.isMet) return { item, state: 'met', why: found.why }
    return { item, state: waivers.has(item.id) ? 'waived' : 'missing', why: found.why }
  })
  return { skill, contract, endedEarly, items }
}

export const missingIds = (check: RunCheck): readonly string[] => idsOf(check, 'missing')

export const waivedIds = (check: RunCheck): readonly string[] => idsOf(check, 'waived')

const idsOf = ({ items }: RunCheck, state: ItemResult['state']): readonly string[] =>
  items.filter((result) => result.state === state).map(({ item }) => item.id)

interface Finding {
  readonly isMet: boolean
  readonly why: string
}

function checkItem(item: ContractItem, run: SkillRun, firstMatch: FirstMatch): Finding {
  switch (item.kind) {
    case 'report_labels':
      return checkReport(item, run)
    case 'check_after_last_edit':
      return checkAfterLastEdit(item.match, run.calls, firstMatch)
    case 'selected_specialists_dispatched':
      return checkSpecialists(item, run)
    case 'agent_dispatch':
      return checkDispatch(item.match, run.calls, firstMatch)
  }
}

function checkReport(
  { heading, labels }: ContractItem & { readonly kind: 'report_labels' },
  run: SkillRun,
): Finding {
  const missing = labelsWithoutValue(run.messages, heading, labels)
  if (missing.length === 0) return { isMet: true, why: `${heading} has all its labels` }
  return { isMet: false, why: `no real value for ${missing.join(', ')} in the last ${heading}` }
}

/** Calls count in their order: one that ran beside the last edit and was asked for before it saw the old file. */
function checkAfterLastEdit(
  match: string | undefined,
  calls: readonly Call[],
  firstMatch: FirstMatch,
): Finding {
  const lastEdit = calls.findLastIndex(({ tool, result }) => EDIT_TOOLS.has(tool) && !isFailed(result))
  if (lastEdit === -1) return { isMet: true, why: 'nothing was edited' }
  const commands = calls
    .slice(lastEdit + 1)
    .filter(({ tool, result }) => tool === 'Bash' && result?.refused !== true)
    .flatMap(({ input }) => (typeof input['command'] === 'string' ? [input['command']] : []))
  const index = match === undefined ? commands.findIndex(isTestCommand) : firstMatch(match, '', commands)
  const command = commands[index]
  if (command === undefined) return { isMet: false, why: 'no test or repro ran after the last edit' }
  return { isMet: true, why: `ran after the last edit: ${inOneLine(command)}` }
}

function checkSpecialists(
  item: ContractItem & { readonly kind: 'selected_specialists_dispatched' },
  run: SkillRun,
): Finding {
  const selection = readSelection(run.prints, item)
  switch (selection.kind) {
    case 'none':
      return { isMet: false, why: 'no selection line was printed' }
    case 'nobody':
      return { isMet: true, why: 'no specialist was selected' }
    case 'selected': {
      const missing = notDispatched(selection.names, run.calls)
      if (missing.length === 0) return { isMet: true, why: `dispatched ${selection.names.join(', ')}` }
      return { isMet: false, why: `no Agent dispatch mentions ${missing.join(', ')}` }
    }
  }
}

function checkDispatch(match: string, calls: readonly Call[], firstMatch: FirstMatch): Finding {
  const texts = dispatchesOf(calls).flatMap(({ input }) =>
    [input['description'], input['prompt']].filter((text) => typeof text === 'string'),
  )
  const found = texts[firstMatch(match, 'i', texts)]
  if (found === undefined) return { isMet: false, why: `no Agent dispatch matches ${match}` }
  return { isMet: true, why: `dispatched: ${inOneLine(found)}` }
}

/** The action that a block names for an item. */
export function fixOf(item: ContractItem): string {
  return item.fix === undefined ? defaultFix(item) : inOneLine(item.fix, Infinity).replace(/[.;]$/, '')
}

function defaultFix(item: ContractItem): string {
  switch (item.kind) {
    case 'report_labels':
      return `print the ${item.heading} with real values for ${item.labels.join(', ')}`
    case 'check_after_last_edit':
      return 'run the test or repro again after your last edit and show its result'
    case 'selected_specialists_dispatched':
      return `print the selection line (${item.marker ?? DEFAULT_MATCHERS.marker} plain names, or 0) and dispatch one Agent for each specialist it names`
    case 'agent_dispatch':
      return `dispatch an Agent whose description or prompt matches ${item.match}`
  }
}

const SHOWN_CHARS = 100

function inOneLine(text: string, limit = SHOWN_CHARS): string {
  const line = oneLine(text)
  return line.length > limit ? `${line.slice(0, limit)}...` : line
}
