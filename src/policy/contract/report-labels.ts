/** `report_labels`: the last report that the assistant printed has a value for every label. */

import type { Message } from '../../transcript/contract-run.ts'
import { isPlaceholder } from '../placeholder.ts'

/** Marks that people put before a label: quotes, bullets, heading signs, bold, code. */
const LEADING_MARKS = /^[\s>#*_`•-]*(?:\d+[.)]\s+)?[*_`]*/

/**
 * The labels of the last report that have no real value; every label when there is no report.
 *
 * A message is a report when the heading stands on a line of its own, or when it mentions the heading and has one of
 * the labels: a later `the DEBUG REPORT above` is no report. A value may stand beneath its label, indented or as a list.
 */
export function labelsWithoutValue(
  messages: readonly Message[],
  heading: string,
  labels: readonly string[],
): readonly string[] {
  const lines = reportsOf(messages, heading, labels).at(-1)
  if (lines === undefined) return labels
  const report = { lines, found: lines.map((line) => labelOf(line, labels)) }
  return labels.filter((label) => !hasValue(report, label))
}

interface Report {
  readonly lines: readonly string[]
  /** The label of each line. */
  readonly found: readonly (string | undefined)[]
}

/** The lines of each report, from its heading on. */
export function reportsOf(
  messages: readonly Message[],
  heading: string,
  labels: readonly string[],
): readonly (readonly string[])[] {
  return messages.flatMap(({ text }) => {
    if (!text.includes(heading)) return []
    const lines = text.split(/\r\n|\n|\r/)
    const mentions = lines.flatMap((line, index) => (line.includes(heading) ? [index] : []))
    const isLabelled = (from: number) => lines.slice(from).some((line) => labelOf(line, labels) !== undefined)
    const start = mentions.findLast(isLabelled)
    if (start !== undefined) return [lines.slice(start)]
    const isOwnLine = mentions.some((index) => withoutMarks(lines[index] ?? '') === heading)
    return isOwnLine || isLabelled(0) ? [lines] : []
  })
}

function hasValue(report: Report, label: string): boolean {
  const places = report.found.flatMap((found, index) => (found === label ? [index] : []))
  return places.length > 0 && places.every((index) => !isPlaceholder(valueAt(report, index, label)))
}

function valueAt({ lines, found }: Report, index: number, label: string): string {
  const value = valueBehind(label, (lines[index] ?? '').replace(LEADING_MARKS, '')) ?? ''
  if (value !== '') return value
  const next = lines[index + 1] ?? ''
  const isDeeper = indentOf(next) > indentOf(lines[index] ?? '') || /^\s*(?:[-*•]|\d+[.)])\s/.test(next)
  if (next.startsWith('```')) return (lines[index + 2] ?? '').trim()
  if (!isDeeper || found[index + 1] !== undefined || isStatusLine(next)) return ''
  const below = next.replace(LEADING_MARKS, '').trim()
  return /[\p{L}\p{N}]/u.test(below) ? below : ''
}

const indentOf = (line: string): number => /^[ \t]*/.exec(line)?.[0].length ?? 0

const isStatusLine = (line: string): boolean => /^[\s>*_`-]*status[\s*_`]*:/i.test(line)

function labelOf(line: string, labels: readonly string[]): string | undefined {
  const bare = line.replace(LEADING_MARKS, '')
  return labels.find((label) => valueBehind(label, bare) !== undefined)
}

/** @param bare a line without marks before it. @returns what `Label:` is followed by; undefined when it begins otherwise */
function valueBehind(label: string, bare: string): string | undefined {
  if (bare.slice(0, label.length).toLowerCase() !== label.toLowerCase()) return undefined
  const match = /^[\s*_`]*:[*_`]*(.*)$/.exec(bare.slice(label.length))
  return match?.[1]?.trim().replace(/^[*_`]+$/, '')
}

const withoutMarks = (line: string): string =>
  line
    .replace(LEADING_MARKS, '')
    .replace(/[\s*_`:#]+$/, '')
    .trim()
