/**
 * A Markdown file as its top-level blocks. The parser reads blocks only; inline marks are read where a rule asks for
 * them, so that neither deep nesting nor a line of a million brackets costs more than its length
 * (docs/decisions/0003-markdown-parser.md). Loaded lazily.
 */

import MarkdownIt, { type Token } from 'markdown-it'

export type Block =
  | {
      readonly kind: 'heading'
      /** 1 to 6 */
      readonly depth: number
      readonly markdown: string
    }
  | {
      readonly kind: 'list'
      /** Number of the first item; undefined for bullets. */
      readonly start: number | undefined
      /** Paragraphs and headings of each item as Markdown, those of lists inside it included; code is left out. */
      readonly items: readonly (readonly string[])[]
    }

/** Longest inline Markdown that is read. */
const INLINE_CHARS = 2_000

/** Depth of containers, two for a list in a list. What is nested deeper hides the rest of its block. */
const MAX_NESTING = 40

const blockParser = new MarkdownIt('commonmark', { maxNesting: MAX_NESTING })
blockParser.core.ruler.disable(['inline', 'text_join'])

const inlineParser = new MarkdownIt('commonmark')

/** Headings and lists that stand in no other block: what is in a quote, a fence or a comment is left out. */
export function readBlocks(text: string): readonly Block[] {
  const blocks: Block[] = []
  let items: string[][] | undefined
  let heading: number | undefined
  for (const token of blockParser.parse(withoutFrontMatter(text), {})) {
    if (token.level === 0) {
      heading = token.type === 'heading_open' ? Number(token.tag.slice(1)) : undefined
      if (!token.type.endsWith('_close')) items = undefined
    }
    if (token.level === 0 && isListOpen(token)) {
      items = []
      blocks.push({ kind: 'list', start: startOf(token), items })
    }
    if (token.level === 1 && token.type === 'list_item_open') items?.push([])
    if (token.type !== 'inline') continue
    if (heading !== undefined && token.level === 1)
      blocks.push({ kind: 'heading', depth: heading, markdown: token.content })
    items?.at(-1)?.push(token.content)
  }
  return blocks
}

/** The words of inline Markdown: without marks, link targets, images, HTML and comments. */
export function plainText(markdown: string): string {
  const tokens = inlineParser.parseInline(markdown.slice(0, INLINE_CHARS), {})
  return tokens
    .flatMap((token) => token.children ?? [])
    .map((token) =>
      /break$/.test(token.type) ? ' ' : /^(?:text|code_inline)$/.test(token.type) ? token.content : '',
    )
    .join('')
    .replace(/\s+/g, ' ')
    .trim()
}

const isListOpen = (token: Token): boolean =>
  token.type === 'ordered_list_open' || token.type === 'bullet_list_open'

function startOf(token: Token): number | undefined {
  return token.type === 'ordered_list_open' ? Number(token.attrGet('start') ?? 1) : undefined
}

/**
 * YAML between `---` lines at the very start. It has to begin with a key, since a text may begin with a thematic break.
 */
function withoutFrontMatter(text: string): string {
  const plain = text.replace(/^\uFEFF/, '')
  if (!/^---[ \t]*\r?\n(?:[ \t]*#.*\r?\n)*["'\w][^:\r\n]*:/.test(plain)) return plain
  return plain.replace(/^---[ \t]*\r?\n[\s\S]*?\r?\n(?:---|\.\.\.)[ \t]*(?:\r?\n|$)/, '')
}
