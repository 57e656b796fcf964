/** The `contract:` block of a SKILL.md, version 1: a value that YAML gave into a contract, or what is wrong with it. */

import type { Contract, ContractItem, ContractItemKind } from '../../core/contract.ts'

/** What the kinds look for unless a skill says otherwise. */
export const DEFAULT_MATCHERS = {
  /** A whole-word N stands for a number. */
  marker: 'Dispatching N specialists:',
  empty_marker: 'specialists skipped',
  /** Start of the line with which a run ends that had nothing to do. */
  nothing_to_do: 'Nothing to review',
} as const

const MOST_ITEMS = 20
const LONGEST_TEXT_CHARS = 1_000

export type ContractReading =
  | { readonly kind: 'none' }
  | { readonly kind: 'contract'; readonly contract: Contract }
  /** Each names its field, such as `contract.items[0].kind: ...`. */
  | { readonly kind: 'invalid'; readonly problems: readonly string[] }

/** @param value the `contract` field of a frontmatter; undefined when it has none */
export function readContract(value: unknown): ContractReading {
  if (value === undefined) return { kind: 'none' }
  const problems: string[] = []
  const items = isFields(value) ? readItems(value, problems) : []
  if (!isFields(value)) problems.push('contract: must be a mapping with version and items')
  return problems.length > 0
    ? { kind: 'invalid', problems }
    : { kind: 'contract', contract: { version: 1, items } }
}

type Fields = Readonly<Record<string, unknown>>

function readItems(contract: Fields, problems: string[]): readonly ContractItem[] {
  if (contract['version'] !== 1)
    problems.push(`contract.version: ${show(contract['version'])} is not supported, only 1 is`)
  rejectOthers('contract', contract, ['version', 'items'], problems)
  const items = contract['items']
  if (!Array.isArray(items) || items.length === 0 || items.length > MOST_ITEMS) {
    const found = Array.isArray(items) ? `a list of ${items.length}` : show(items)
    problems.push(`contract.items: must be a list of 1 to ${MOST_ITEMS} items, not ${found}`)
    return []
  }
  const ids = new Set<string>()
  return items.flatMap((item: unknown, index) => {
    const field = `contract.items[${index}]`
    const read = readItem(field, item, problems)
    if (read === undefined) return []
    if (ids.has(read.id)) problems.push(`${field}.id: ${show(read.id)} stands twice`)
    ids.add(read.id)
    return [read]
  })
}

const COMMON_FIELDS = ['id', 'kind', 'fix', 'summary'] as const
const KIND_FIELDS: Readonly<Record<ContractItemKind, readonly string[]>> = {
  report_labels: ['heading', 'labels'],
  check_after_last_edit: ['match'],
  selected_specialists_dispatched: ['marker', 'empty_marker'],
  agent_dispatch: ['match'],
}
const KINDS = Object.keys(KIND_FIELDS) as readonly ContractItemKind[]

function readItem(field: string, value: unknown, problems: string[]): ContractItem | undefined {
  if (!isFields(value)) {
    problems.push(`${field}: must be a mapping with id and kind`)
    return undefined
  }
  const before = problems.length
  const { id } = value
  if (typeof id !== 'string' || !/^[a-z0-9._-]{1,100}$/.test(id))
    problems.push(`${field}.id: must be lowercase letters, digits, ., _ and -, not ${show(id)}`)
  const kind = KINDS.find((known) => known === value['kind'])
  if (kind === undefined) {
    problems.push(`${field}.kind: unknown kind ${show(value['kind'])}; there are ${KINDS.join(', ')}`)
    return undefined
  }
  const read = {
    ...readText(field, value, ['fix', 'summary'], problems),
    ...readKind(kind, field, value, problems),
  }
  return problems.length === before ? ({ id, ...read } as ContractItem) : undefined
}

function readKind(kind: ContractItemKind, field: string, item: Fields, problems: string[]): Fields {
  if (kind === 'agent_dispatch' && item['marker'] !== undefined)
    problems.push(`${field}.marker: agent_dispatch cannot bind a marker to a dispatch; use match`)
  else rejectOthers(field, item, [...COMMON_FIELDS, ...KIND_FIELDS[kind]], problems)
  switch (kind) {
    case 'report_labels':
      require(field, item, 'heading', problems)
      return {
        kind,
        ...readText(field, item, ['heading'], problems),
        labels: readLabels(field, item, problems),
      }
    case 'check_after_last_edit':
      return { kind, ...readPattern(field, item, problems) }
    case 'selected_specialists_dispatched':
      return { kind, ...readText(field, item, ['marker', 'empty_marker'], problems) }
    case 'agent_dispatch':
      require(field, item, 'match', problems)
      return { kind, ...readPattern(field, item, problems) }
  }
}

function readLabels(field: string, item: Fields, problems: string[]): readonly string[] {
  const { labels } = item
  if (!Array.isArray(labels) || labels.length === 0) {
    problems.push(`${field}.labels: must be a list of at least one label, not ${show(labels)}`)
    return []
  }
  const named = Object.fromEntries(labels.map((label: unknown, index) => [`labels[${index}]`, label]))
  return Object.values(readText(field, named, Object.keys(named), problems)).map((label) =>
    label.trim().replace(/\s*:$/, ''),
  )
}

function readPattern(field: string, item: Fields, problems: string[]): Readonly<Record<string, string>> {
  const read = readText(field, item, ['match'], problems)
  if (read['match'] === undefined) return read
  try {
    new RegExp(read['match'])
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
    problems.push(`${field}.match: ${error.message}`)
  }
  return read
}

/** The named fields that are there; each must be a text that says something. */
function readText(
  field: string,
  item: Fields,
  names: readonly string[],
  problems: string[],
): Readonly<Record<string, string>> {
  const read: Record<string, string> = {}
  for (const name of names) {
    const value = item[name]
    if (value === undefined) continue
    if (typeof value !== 'string') problems.push(`${field}.${name}: must be a text, not ${show(value)}`)
    else if (value.trim() === '') problems.push(`${field}.${name}: must not be empty`)
    else if (value.length > LONGEST_TEXT_CHARS)
      problems.push(`${field}.${name}: must not be over ${LONGEST_TEXT_CHARS} characters`)
    else read[name] = value
  }
  return read
}

function require(field: string, item: Fields, name: string, problems: string[]): void {
  if (item[name] === undefined) problems.push(`${field}.${name}: is missing`)
}

function rejectOthers(field: string, fields: Fields, known: readonly string[], problems: string[]): void {
  for (const name of Object.keys(fields))
    if (!known.includes(name)) problems.push(`${field}.${name}: unknown field; there are ${known.join(', ')}`)
}

const SHOWN_VALUE_CHARS = 60

function show(value: unknown): string {
  if (value === undefined) return 'nothing'
  const text = JSON.stringify(value)
  return text.length > SHOWN_VALUE_CHARS ? `${text.slice(0, SHOWN_VALUE_CHARS)}...` : text
}

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
