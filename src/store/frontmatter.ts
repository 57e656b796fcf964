/**
 * The YAML block at the top of a SKILL.md, as people really write it: with a byte order mark, with CRLF, with a colon
 * in an unquoted description. Importing this file loads the YAML parser: hooks do so only when the cache of `skills.ts`
 * does not know a file.
 */

import { parse, YAMLError } from 'yaml'
import type { Fields, Frontmatter } from '../core/skill-file.ts'

/**
 * Reads the frontmatter of a SKILL.md.
 *
 * The block starts at a first line of `---` and ends at the next line that is only `---` at column 0. A key that stands
 * twice is an error, as in YAML.
 *
 * @param text the whole file
 * @returns `fields` that survive JSON; `broken` with one line that a person can act on
 */
export function readFrontmatter(text: string): Frontmatter {
  const lines = text.replace(/^\ufeff/, '').split(/\r\n|\n|\r/)
  if (!isFence(lines[0])) return { kind: 'none' }
  const end = lines.findIndex((line, index) => index > 0 && isFence(line))
  if (end === -1) return { kind: 'broken', why: 'the frontmatter has no closing --- line' }

  const block = lines.slice(1, end)
  const asWritten = parseYaml(block.join('\n'))
  if (asWritten.kind !== 'broken') return asWritten
  const quoted = parseYaml(block.map(quoteProse).join('\n'))
  return quoted.kind === 'broken' ? asWritten : quoted
}

const isFence = (line: string | undefined): boolean => line !== undefined && /^---\s*$/.test(line)

function parseYaml(text: string): Frontmatter {
  try {
    const value: unknown = parse(text, { logLevel: 'error' })
    if (value === null || value === undefined) return { kind: 'read', fields: {} }
    if (typeof value !== 'object' || Array.isArray(value))
      return { kind: 'broken', why: 'the frontmatter is not a list of keys and values' }
    return { kind: 'read', fields: JSON.parse(JSON.stringify(value)) as Fields }
  } catch (error) {
    if (error instanceof YAMLError) return { kind: 'broken', why: firstLine(error.message) }
    // An alias that expands without end, or a value that contains itself.
    if (error instanceof ReferenceError || error instanceof TypeError)
      return { kind: 'broken', why: firstLine(error.message) }
    throw error
  }
}

/** `description: Use when: ...` is prose to the client and a nested mapping to YAML. */
function quoteProse(line: string): string {
  const [, key, value] = /^([A-Za-z][\w-]*):[ \t]+([^\s"'[{|>&*!%@`#-].*:(?:[ \t].*)?)$/.exec(line) ?? []
  return key === undefined || value === undefined ? line : `${key}: ${JSON.stringify(value)}`
}

const firstLine = (message: string): string => (message.split('\n', 1)[0] ?? message).replace(/:$/, '')
