/** `selected_specialists_dispatched`: who was selected, and who of them was dispatched. */

import type { Contract } from '../../core/contract.ts'
import { isAgentCall, isFailed, type Call } from '../../transcript/contract-run.ts'
import { DEFAULT_MATCHERS } from './schema.ts'

export type Selection =
  | { readonly kind: 'selected'; readonly names: readonly string[] }
  | { readonly kind: 'nobody' }
  | { readonly kind: 'none' }

interface Markers {
  readonly marker?: string
  readonly empty_marker?: string
}

const LONGEST_NAME_CHARS = 40

/**
 * The last selection that was printed. A line that selects nobody by the empty marker counts only where no line selects
 * somebody.
 *
 * @param prints texts of the assistant and of Bash results, oldest first
 */
export function readSelection(prints: readonly string[], item: Markers): Selection {
  const markers = markersOf(item)
  const [pattern, skipped] = [markerPattern(markers[0]), markerPattern(markers[1])]
  // Most of what a session prints is output of commands: looking for one word first saves splitting it all.
  const words = markers.map(firstWord)
  const lines = prints
    .filter((text) => words.some((word) => text.includes(word)))
    .flatMap((text) => text.split(/\r\n|\n|\r/))
    .map((line) => line.replace(/\*\*|`/g, ''))
  const selections = lines.flatMap((line) => selectionOn(line, pattern) ?? [])
  const last = selections.at(-1)
  if (last !== undefined) return last
  // `<lines>` is the skill's own text, shown by a command.
  return lines.some((line) => skipped.test(line) && !/[<>{}]/.test(line))
    ? { kind: 'nobody' }
    : { kind: 'none' }
}

/** The selected names that no dispatch mentions. */
export function notDispatched(names: readonly string[], calls: readonly Call[]): readonly string[] {
  const mentions = dispatchesOf(calls).map(({ input }) =>
    plainWords(
      Object.values(input)
        .filter((value) => typeof value === 'string')
        .join('\n'),
    ),
  )
  return names.filter((name) => {
    const wanted = plainWords(name)
    return !mentions.some((text) => hasWords(text, wanted))
  })
}

/** Agent calls that ran or still run. */
export const dispatchesOf = (calls: readonly Call[]): readonly Call[] =>
  calls.filter((call) => isAgentCall(call) && !isFailed(call.result))

/** Literal text in which a whole-word N stands for a number. */
function markerPattern(marker: string): RegExp {
  const literal = marker.trim().replace(/[.*+?^${}()|[\]\\/-]/g, '\\$&')
  return new RegExp(literal.replace(/\bN\b/g, '(\\d{1,6})').replace(/\s+/g, '\\s+'))
}

/** Words of which every line that a check of this contract looks for in output has one. */
export const wordsOfOutput = ({ items }: Contract): readonly string[] =>
  items.flatMap((item) =>
    item.kind === 'selected_specialists_dispatched' ? markersOf(item).map(firstWord) : [],
  )

const markersOf = ({ marker, empty_marker: emptyMarker }: Markers): readonly [string, string] => [
  marker ?? DEFAULT_MATCHERS.marker,
  emptyMarker ?? DEFAULT_MATCHERS.empty_marker,
]

/** A word that every text with the marker has; empty when it has none but numbers. */
const firstWord = (marker: string): string => marker.split(/\s+/).find((word) => !/\bN\b/.test(word)) ?? ''

/** @returns undefined when the line is no selection, or names somebody in a way that is not plain */
function selectionOn(line: string, pattern: RegExp): Selection | undefined {
  const match = pattern.exec(line)
  if (match === null) return undefined
  const count = match[1] === undefined ? undefined : Number(match[1])
  if (count === 0) return { kind: 'nobody' }
  const names = namesIn(line.slice(match.index + match[0].length), count)
  return names.length > 0 && names.every(isPlainName) ? { kind: 'selected', names } : undefined
}

/** The list ends at a full stop; text in parentheses is no name. */
function namesIn(rest: string, count: number | undefined): readonly string[] {
  const [list = ''] = rest.replace(/\([^)]*(?:\)|$)/g, ' ').split(/\.(?:\s|$)/, 1)
  const names = list
    .split(',')
    .map((name) => name.trim().replace(/^and\s+/i, ''))
    .filter((name) => name !== '')
  if (count === undefined || names.length >= count) return names
  const apart = names.flatMap((name) => name.split(/\s+and\s+/i))
  return apart.length === count ? apart : names
}

const isPlainName = (name: string): boolean =>
  name.length <= LONGEST_NAME_CHARS && /^[\p{L}\p{N} _.-]+$/u.test(name)

/** Lower case, with one blank between words, so that `data-migration` mentions Data Migration. */
const plainWords = (text: string): string =>
  ` ${text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}.]+/gu, ' ')
    .trim()} `

const hasWords = (text: string, words: string): boolean =>
  text.replace(/\.(?=\s)/g, '').includes(words.replace(/\.(?=\s)/g, ''))
