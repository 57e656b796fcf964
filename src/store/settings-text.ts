/**
 * Our registrations in the text of Claude Code's settings.json. An item is ours by its command line alone, wherever the
 * package lay when it was written; everything else in the file belongs to somebody else.
 */

import type { Node } from 'jsonc-parser'
import { parseHookCommand, type HookName, type Registration } from '../core/registration.ts'
import { appendChild, parseJsonText, propertyOf, removeChild, replaceNode, requireType } from './json-text.ts'

/** One `{type, command, timeout}` of ours, and where it stands. */
interface OurItem {
  readonly event: string
  readonly hook: HookName
  readonly program: string
  readonly command: string
  /** The array of the event. */
  readonly entries: Node
  readonly entryIndex: number
  readonly entry: Node
  readonly items: Node
  readonly itemIndex: number
  readonly item: Node
}

/** A hook as settings.json has it registered. */
export interface FoundRegistration {
  readonly event: string
  readonly hook: HookName
  /** Absolute path of the launcher it names. */
  readonly program: string
  readonly command: string
  readonly matcher: string | undefined
  readonly timeout: unknown
}

/**
 * Makes our registrations in the text exactly these: adds what is missing at the end of its event, removes what is not
 * wanted or stands twice, and repairs the rest in place. A timeout above the wanted one stays.
 *
 * @param name what an error calls the file
 * @returns the same text when there is nothing to do
 * @throws GateError SETUP_FAILED with line and column when the text is not JSON, or `hooks` has another shape
 */
export function applyRegistrations(text: string, wanted: readonly Registration[], name: string): string {
  let current = text
  for (;;) {
    const next = nextEdit(current, wanted, name)
    if (next === undefined) return current
    current = next
  }
}

/** @throws GateError SETUP_FAILED like `applyRegistrations` */
export function findRegistrations(text: string, name: string): readonly FoundRegistration[] {
  return ourItems(hooksOf(text, name)).map(({ event, hook, program, command, entry, item }) => ({
    event,
    hook,
    program,
    command,
    matcher: textOf(propertyOf(entry, 'matcher')),
    timeout: propertyOf(item, 'timeout')?.value as unknown,
  }))
}

/** One step towards the wanted text; offsets are found anew for each. */
function nextEdit(text: string, wanted: readonly Registration[], name: string): string | undefined {
  const root = requireType(parseJsonText(text, name), 'object', { text, name, what: 'the file' })
  const ours = ourItems(hooksOf(text, name))

  const kept = new Map(wanted.map((registration) => [registration, bestOf(ours, registration)]))
  const extra = ours.find((item) => ![...kept.values()].includes(item))
  if (extra !== undefined) return removeItem(text, root, extra)

  for (const [registration, item] of kept) {
    const edited =
      item === undefined ? add({ text, root, name }, registration) : repair(text, item, registration)
    if (edited !== undefined) return edited
  }
  return undefined
}

function hooksOf(text: string, name: string): Node | undefined {
  const root = requireType(parseJsonText(text, name), 'object', { text, name, what: 'the file' })
  const hooks = propertyOf(root, 'hooks')
  return hooks === undefined ? undefined : requireType(hooks, 'object', { text, name, what: 'hooks' })
}

function ourItems(hooks: Node | undefined): OurItem[] {
  return (hooks?.children ?? []).flatMap(({ children: [key, value] = [] }) => {
    const event = textOf(key)
    if (event === undefined || value === undefined || value.type !== 'array') return []
    return (value.children ?? []).flatMap((entry, entryIndex) =>
      itemsOfEntry(event, value, entry, entryIndex),
    )
  })
}

function itemsOfEntry(event: string, entries: Node, entry: Node, entryIndex: number): OurItem[] {
  const items = propertyOf(entry, 'hooks')
  if (items?.type !== 'array') return []
  return (items.children ?? []).flatMap((item, itemIndex) => {
    const command = textOf(propertyOf(item, 'command'))
    const parsed = command === undefined ? undefined : parseHookCommand(command)
    if (command === undefined || parsed === undefined) return []
    return [{ ...parsed, event, command, entries, entryIndex, entry, items, itemIndex, item }]
  })
}

/** The item that is kept for a registration: the one that already says so, else the first of its event and hook. */
function bestOf(ours: readonly OurItem[], wanted: Registration): OurItem | undefined {
  const same = ours.filter(
    (item) =>
      item.event === wanted.event && item.hook === wanted.hook && (isAlone(item) || hasMatcher(item, wanted)),
  )
  return (
    same.find((item) => item.command === wanted.entry.hooks[0].command && hasMatcher(item, wanted)) ?? same[0]
  )
}

const isAlone = ({ items }: OurItem): boolean => items.children?.length === 1

const hasMatcher = ({ entry }: OurItem, wanted: Registration): boolean =>
  (textOf(propertyOf(entry, 'matcher')) ?? '') === (wanted.entry.matcher ?? '')

/** @returns undefined when the item already says what is wanted */
function repair(text: string, found: OurItem, { entry }: Registration): string | undefined {
  const [{ command, timeout }] = entry.hooks
  const commandNode = propertyOf(found.item, 'command')
  if (commandNode !== undefined && found.command !== command) return replaceNode(text, commandNode, command)

  const timeoutNode = propertyOf(found.item, 'timeout')
  if (timeoutNode === undefined) return appendChild(text, found.item, timeout, 'timeout')
  if (typeof timeoutNode.value !== 'number' || timeoutNode.value < timeout)
    return replaceNode(text, timeoutNode, timeout)

  const matcherNode = propertyOf(found.entry, 'matcher')
  if ((textOf(matcherNode) ?? '') === (entry.matcher ?? '')) return undefined
  if (matcherNode === undefined) return appendChild(text, found.entry, entry.matcher, 'matcher')
  if (entry.matcher === undefined)
    return removeChild(text, found.entry, indexOfValue(found.entry, matcherNode))
  return replaceNode(text, matcherNode, entry.matcher)
}

function add(
  { text, root, name }: { text: string; root: Node; name: string },
  { event, entry }: Registration,
): string {
  const hooks = propertyOf(root, 'hooks')
  if (hooks === undefined) return appendChild(text, root, { [event]: [entry] }, 'hooks')
  const entries = propertyOf(hooks, event)
  if (entries === undefined) return appendChild(text, hooks, [entry], event)
  return appendChild(text, requireType(entries, 'array', { text, name, what: `hooks.${event}` }), entry)
}

/** Removes an item, and what it leaves empty: its entry, the event, `hooks`. */
function removeItem(text: string, root: Node, { entries, entryIndex, items, itemIndex }: OurItem): string {
  if (items.children?.length !== 1) return removeChild(text, items, itemIndex)
  if (entries.children?.length !== 1) return removeChild(text, entries, entryIndex)
  const hooks = propertyOf(root, 'hooks')
  if (hooks === undefined) return text
  if (hooks.children?.length === 1) return removeChild(text, root, indexOfValue(root, hooks))
  return removeChild(text, hooks, indexOfValue(hooks, entries))
}

const indexOfValue = (object: Node, value: Node): number =>
  object.children?.findIndex((property) => property.children?.[1]?.offset === value.offset) ?? -1

const textOf = (node: Node | undefined): string | undefined =>
  typeof node?.value === 'string' ? node.value : undefined
