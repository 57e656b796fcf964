/**
 * Edits of a JSON file as text, for files that other people own: what is not edited keeps its bytes. Appending a child
 * and removing it again gives the text of before, but for a container that was empty.
 */

import { parseTree, printParseErrorCode, type Node, type ParseError } from 'jsonc-parser'
import { GateError } from '../core/errors.ts'

/** How a file is written: its indent and its line ends. */
interface TextStyle {
  readonly indent: string
  readonly eol: string
}

/**
 * Parses strict JSON; a byte order mark is tolerated.
 *
 * @param name what the error calls the file
 * @throws GateError SETUP_FAILED with line and column when it is not JSON
 */
export function parseJsonText(text: string, name: string): Node {
  const errors: ParseError[] = []
  // A blank instead of the mark keeps every offset.
  const tree = parseTree(text.replace(/^\ufeff/, ' '), errors, {
    disallowComments: true,
    allowTrailingComma: false,
  })
  const [error] = errors
  if (error !== undefined) throw notJson(text, error.offset, name, wordsOf(printParseErrorCode(error.error)))
  if (tree === undefined) throw notJson(text, 0, name, 'it is empty')
  return tree
}

/** @throws GateError SETUP_FAILED that names where the node stands */
export function requireType(
  node: Node,
  type: 'object' | 'array',
  where: { text: string; name: string; what: string },
): Node {
  if (node.type === type) return node
  throw notJson(where.text, node.offset, where.name, `${where.what} is not an ${type}`)
}

/** The value of an object's property; the last one where a key stands twice, as `JSON.parse` has it. */
export const propertyOf = (object: Node | undefined, key: string): Node | undefined =>
  object?.type === 'object'
    ? object.children?.findLast((property) => property.children?.[0]?.value === key)?.children?.[1]
    : undefined

/** Replaces a scalar. */
export function replaceNode(text: string, node: Node, value: string | number): string {
  return splice(text, node.offset, node.offset + node.length, JSON.stringify(value))
}

/** Appends an element to an array, or a property to an object when `key` is given. */
export function appendChild(text: string, container: Node, value: unknown, key?: string): string {
  const style = styleOf(text)
  const name = key === undefined ? '' : `${JSON.stringify(key)}: `
  const last = container.children?.at(-1)
  if (last === undefined) {
    const outer = indentAt(text, container.offset)
    const child = `${style.eol}${outer}${style.indent}${name}${render(value, outer + style.indent, style)}${style.eol}${outer}`
    return splice(text, container.offset + 1, endOf(container) - 1, child)
  }

  const gap = gapBefore(text, container, last)
  const isMultiLine = gap.includes('\n')
  const child = isMultiLine ? render(value, gap.slice(gap.lastIndexOf('\n') + 1), style) : renderInline(value)
  return splice(text, endOf(last), endOf(last), `,${gap === '' && !isMultiLine ? ' ' : gap}${name}${child}`)
}

/** Removes the child at this index, and the comma that stood for it. */
export function removeChild(text: string, container: Node, index: number): string {
  const children = container.children ?? []
  const [before, child, after] = [children[index - 1], children[index], children[index + 1]]
  if (child === undefined) return text
  if (before !== undefined) return splice(text, endOf(before), endOf(child), '')
  if (after !== undefined) return splice(text, child.offset, after.offset, '')
  return splice(text, container.offset + 1, endOf(container) - 1, '')
}

/** `PropertyNameExpected` as people say it. */
const wordsOf = (code: string): string => code.replace(/\B[A-Z]/g, (letter) => ` ${letter}`).toLowerCase()

const endOf = (node: Node): number => node.offset + node.length

const splice = (text: string, from: number, to: number, insert: string): string =>
  text.slice(0, from) + insert + text.slice(to)

/** White space between a child and what stands before it: the comma, or the opening bracket. */
function gapBefore(text: string, container: Node, child: Node): string {
  const previous = container.children?.at(-2)
  const from = previous === undefined ? container.offset + 1 : endOf(previous)
  return text.slice(from, child.offset).replace(',', '')
}

/** The white space that the line of this offset starts with. */
function indentAt(text: string, offset: number): string {
  const line = text.slice(text.lastIndexOf('\n', offset - 1) + 1, offset)
  return /^[ \t]*/.exec(line)?.[0] ?? ''
}

function styleOf(text: string): TextStyle {
  return { indent: /\n([ \t]+)\S/.exec(text)?.[1] ?? '  ', eol: text.includes('\r\n') ? '\r\n' : '\n' }
}

function render(value: unknown, outer: string, { indent, eol }: TextStyle): string {
  return JSON.stringify(value, undefined, indent).replaceAll('\n', eol + outer)
}

const renderInline = (value: unknown): string => JSON.stringify(value, undefined, 1).replace(/\n\s*/g, ' ')

function notJson(text: string, offset: number, name: string, why: string): GateError {
  const before = text.slice(0, offset)
  const [line, column] = [before.split('\n').length, offset - before.lastIndexOf('\n')]
  return new GateError(
    'SETUP_FAILED',
    `${name} was left as it is: line ${String(line)}, column ${String(column)}: ${why}`,
  )
}
