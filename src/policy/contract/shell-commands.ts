/**
 * The commands that a shell command line runs, without running it. Reads what a shell reads: quotes, here-documents,
 * lists, subshells, substitutions, redirections, comments, continuations. What they mean is `test-command.ts`.
 *
 * @see POSIX.1-2017, Shell Command Language, 2.3 Token Recognition and 2.7 Redirection; bash's `$'...'`, `&>` and `<<<`
 */

import { isProcessSubstitution, operatorAt, redirectionAt, type Redirection } from './shell-operators.ts'

export interface ShellCommand {
  /**
   * Program and arguments after quote removal, without leading assignments, keywords and redirections. A substitution
   * leaves `$()` in its word, and its commands stand in the list before this one.
   */
  readonly words: readonly string[]
  /** Text of a here-document or here-string; empty when a file is redirected in; undefined without either. */
  readonly input: string | undefined
  /** Standard input is the output of another command. */
  readonly isPiped: boolean
}

/** Substitutions deeper than this are text. */
const DEEPEST_NESTING = 20

/** Reads a command line, in time that grows with its length. Never throws: what is not closed ends with the text. */
export function readShellCommands(source: string): readonly ShellCommand[] {
  const commands: ShellCommand[] = []
  readList({ source, at: 0, commands, depth: 0 }, undefined)
  return commands
}

interface Reader {
  readonly source: string
  at: number
  readonly commands: ShellCommand[]
  readonly depth: number
}

interface Draft {
  words: string[]
  input: string | undefined
  isPiped: boolean
  documents: HereDocument[]
}

interface HereDocument {
  readonly delimiter: string
  readonly stripsTabs: boolean
  /** Where the finished command stands, once it is finished. */
  index: number
}

/** @param end what closes the list: a substitution's bracket, or undefined for the end of the text */
function readList(reader: Reader, end: ')' | '`' | undefined): void {
  const { source, commands } = reader
  let draft: Draft = { words: [], input: undefined, isPiped: false, documents: [] }
  let redirection: Redirection | undefined
  let openBrackets = 0
  const hereDocuments: HereDocument[] = []

  const finish = (isPiped: boolean) => {
    const words = draft.words.slice(leadingWords(draft.words))
    if (words.length > 0) {
      commands.push({ words, input: draft.input, isPiped: draft.isPiped })
      for (const document of draft.documents) document.index = commands.length - 1
    }
    draft = { words: [], input: undefined, isPiped, documents: [] }
    redirection = undefined
  }
  const take = (word: string) => {
    if (redirection === undefined) draft.words.push(word)
    if (redirection === 'input-file') draft.input ??= ''
    if (redirection === 'here-string') draft.input = word
    if (redirection === 'here-document' || redirection === 'here-document-tabs') {
      const stripsTabs = redirection === 'here-document-tabs'
      const document: HereDocument = { delimiter: word, stripsTabs, index: -1 }
      hereDocuments.push(document)
      draft.documents.push(document)
    }
    redirection = undefined
  }

  while (reader.at < source.length) {
    const character = source.charAt(reader.at)
    if (character === end && !(character === ')' && openBrackets > 0)) {
      reader.at += 1
      break
    }
    if (character === ' ' || character === '\t' || character === '\r') {
      reader.at += 1
      continue
    }
    if (source.startsWith('\\\n', reader.at)) {
      reader.at += 2
      continue
    }
    if (character === '#') {
      reader.at = indexOrEnd(source, '\n', reader.at)
      continue
    }
    if (character === '\n') {
      reader.at += 1
      finish(false)
      for (const document of hereDocuments.splice(0)) readHereDocument(reader, document)
      continue
    }
    const found = redirectionAt(source, reader.at)
    if (found !== undefined) {
      reader.at += found.length
      redirection = found.redirection
      continue
    }
    const operator = operatorAt(source, reader.at)
    if (operator !== undefined) {
      reader.at += operator.length
      if (operator === '(') openBrackets += 1
      if (operator === ')' && openBrackets > 0) openBrackets -= 1
      finish(operator === '|' || operator === '|&')
      continue
    }
    take(readWord(reader, end))
  }
  finish(false)
}

const KEYWORDS = new Set('if then elif else while until do done fi ! { } coproc'.split(' '))

/** How many words at the start are keywords and assignments. */
function leadingWords(words: readonly string[]): number {
  const index = words.findIndex(
    (word) => !KEYWORDS.has(word) && !/^[A-Za-z_][A-Za-z0-9_]*(?:\[[^\]]*\])?\+?=/.test(word),
  )
  return index === -1 ? words.length : index
}

/** Reads one word from where it starts; always at least one character. */
function readWord(reader: Reader, end: ')' | '`' | undefined): string {
  const { source } = reader
  const parts: string[] = []
  const start = reader.at
  while (reader.at < source.length) {
    const character = source.charAt(reader.at)
    if (character === end && reader.at > start) break
    if (/[ \t\r\n;|&()]/.test(character)) break
    if ((character === '<' || character === '>') && !isProcessSubstitution(source, reader.at)) break
    parts.push(readPart(reader, character))
  }
  return parts.join('')
}

function readPart(reader: Reader, character: string): string {
  const { source } = reader
  switch (character) {
    case '\\':
      reader.at += 2
      return source[reader.at - 1] === '\n' ? '' : source.charAt(reader.at - 1)
    case "'":
      return readBetween(reader, reader.at + 1, "'")
    case '"':
      return readDoubleQuoted(reader)
    case '`':
      return readSubstitution(reader, 1, '`')
    case '<':
    case '>':
      return readSubstitution(reader, 2, ')')
    case '$':
      return readDollar(reader)
    default: {
      const plain = /[^ \t\r\n;|&()<>\\'"`$]+/y
      plain.lastIndex = reader.at
      const text = plain.exec(source)?.[0] ?? character
      reader.at += text.length
      return text
    }
  }
}

function readDollar(reader: Reader): string {
  const { source, at } = reader
  if (source.startsWith("$'", at)) return readAnsiQuoted(reader)
  if (source.startsWith('$((', at)) return readArithmetic(reader)
  if (source.startsWith('$(', at)) return readSubstitution(reader, 2, ')')
  if (source.startsWith('${', at)) return `\${${readBetween(reader, at + 2, '}')}}`
  reader.at += 1
  return '$'
}

function readDoubleQuoted(reader: Reader): string {
  const { source } = reader
  const parts: string[] = []
  reader.at += 1
  while (reader.at < source.length && source[reader.at] !== '"') {
    const character = source.charAt(reader.at)
    if (character === '\\') {
      const next = source.charAt(reader.at + 1)
      parts.push(/[$`"\\]/.test(next) ? next : next === '\n' ? '' : `\\${next}`)
      reader.at += 2
    } else if (character === '`') parts.push(readSubstitution(reader, 1, '`'))
    else if (character === '$' && source[reader.at + 1] !== "'") parts.push(readDollar(reader))
    else {
      const plain = /[^"\\`$]+|\$/y
      plain.lastIndex = reader.at
      const text = plain.exec(source)?.[0] ?? character
      parts.push(text)
      reader.at += text.length
    }
  }
  reader.at += 1
  return parts.join('')
}

function readAnsiQuoted(reader: Reader): string {
  const text = /\$'((?:[^'\\]|\\[\s\S])*)'?/y
  text.lastIndex = reader.at
  const match = text.exec(reader.source)
  reader.at += match?.[0].length ?? 2
  return (match?.[1] ?? '').replace(/\\(n|t|[\s\S])/g, (_, escaped: string) =>
    escaped === 'n' ? '\n' : escaped === 't' ? '\t' : escaped,
  )
}

/** Commands of a substitution join the list; the word keeps a mark of it. */
function readSubstitution(reader: Reader, opening: number, end: ')' | '`'): string {
  if (reader.depth >= DEEPEST_NESTING) {
    reader.at += opening
    return '$()'
  }
  const inner: Reader = { ...reader, at: reader.at + opening, depth: reader.depth + 1 }
  readList(inner, end)
  reader.at = inner.at
  return '$()'
}

function readArithmetic(reader: Reader): string {
  let open = 0
  do {
    const character = reader.source[reader.at]
    if (character === '(') open += 1
    if (character === ')') open -= 1
    reader.at += 1
  } while (reader.at < reader.source.length && (open > 0 || reader.source[reader.at - 1] === '$'))
  return '0'
}

function readBetween(reader: Reader, start: number, end: string): string {
  const close = indexOrEnd(reader.source, end, start)
  reader.at = close + 1
  return reader.source.slice(start, close)
}

function readHereDocument(reader: Reader, document: HereDocument): void {
  const { source, commands } = reader
  const start = reader.at
  let bodyEnd = start
  while (reader.at < source.length) {
    const lineEnd = indexOrEnd(source, '\n', reader.at)
    const line = source.slice(reader.at, lineEnd)
    bodyEnd = reader.at
    reader.at = lineEnd + 1
    if ((document.stripsTabs ? line.replace(/^\t+/, '') : line) === document.delimiter) break
    bodyEnd = Math.min(lineEnd + 1, source.length)
  }
  const owner = commands[document.index]
  if (owner !== undefined) commands[document.index] = { ...owner, input: source.slice(start, bodyEnd) }
}

function indexOrEnd(text: string, part: string, from: number): number {
  const index = text.indexOf(part, from)
  return index === -1 ? text.length : index
}
