import { isPlaceholder } from '../placeholder.ts'
import { plainText, readBlocks, type Block } from './blocks.ts'

/** Why a text does not rank the top risks; `heading` is the section that came nearest. */
export type RankedRisksGap =
  | { readonly kind: 'no-section' }
  /** The heading is there, but inside a code block, a comment, a quote or a list. */
  | { readonly kind: 'buried-section' }
  | { readonly kind: 'no-list'; readonly heading: string }
  | { readonly kind: 'bullets'; readonly heading: string }
  | { readonly kind: 'wrong-start'; readonly heading: string; readonly start: number }
  | { readonly kind: 'placeholders'; readonly heading: string }

/** A longer text is not read. */
export const TEXT_LIMIT_BYTES = 256 * 1024

/** Nearest to the rule last. */
const NEARNESS: readonly RankedRisksGap['kind'][] = [
  'no-section',
  'buried-section',
  'no-list',
  'bullets',
  'wrong-start',
  'placeholders',
]

const SECTION = /findings|top\s+risks/i
/** Every text that can have such a heading has these words, marks between them or not. */
const SECTION_WORDS = /findings|top\W{1,20}risks/i

/**
 * Whether a Markdown text ranks the top risks: below a heading with `Findings` or `Top risks`, before the next heading
 * of its level or a higher one, a numbered list that starts at 1 and has an item that is no placeholder.
 *
 * @param text up to TEXT_LIMIT_BYTES; a byte order mark and front matter may come first
 * @returns undefined when it does, else what came nearest
 */
export function rankedRisksGap(text: string): RankedRisksGap | undefined {
  if (!SECTION_WORDS.test(text)) return { kind: 'no-section' }
  let open: { readonly depth: number; readonly heading: string }[] = []
  let nearest: RankedRisksGap = isBuried(text) ? { kind: 'buried-section' } : { kind: 'no-section' }
  for (const block of readBlocks(text)) {
    if (block.kind === 'heading') {
      open = open.filter((section) => section.depth < block.depth)
      const heading = SECTION_WORDS.test(block.markdown) ? plainText(block.markdown) : ''
      if (!SECTION.test(heading)) continue
      open.push({ depth: block.depth, heading })
      nearest = nearer(nearest, { kind: 'no-list', heading })
      continue
    }
    const section = open.at(-1)
    if (section === undefined) continue
    const gap = listGap(block, section.heading)
    if (gap === undefined) return undefined
    nearest = nearer(nearest, gap)
  }
  return nearest
}

function listGap(list: Extract<Block, { kind: 'list' }>, heading: string): RankedRisksGap | undefined {
  if (list.start === undefined) return { kind: 'bullets', heading }
  if (list.start !== 1) return { kind: 'wrong-start', heading, start: list.start }
  return list.items.some(statesRisk) ? undefined : { kind: 'placeholders', heading }
}

/** The first paragraph with words decides: what follows it explains. */
function statesRisk(paragraphs: readonly string[]): boolean {
  for (const paragraph of paragraphs) {
    const text = plainText(paragraph).replace(/^\[[ x]\]\s*/i, '')
    if (text !== '') return !isPlaceholderRisk(text)
  }
  return false
}

/** `[risk]`, `TBD`, `[risk]: [impact]`, `Risk 1: TBD`. */
function isPlaceholderRisk(text: string): boolean {
  const value = text.replace(/^(?:top )?(?:risk|finding|issue)\s*#?\d*\s*:\s*/i, '')
  const outsideBrackets = value.replace(/\[[^[\]]*\]|<[^<>]*>/g, '')
  return isPlaceholder(value) || !/[\p{L}\p{N}]/u.test(outsideBrackets)
}

const nearer = (one: RankedRisksGap, other: RankedRisksGap): RankedRisksGap =>
  NEARNESS.indexOf(other.kind) > NEARNESS.indexOf(one.kind) ? other : one

const isBuried = (text: string): boolean => /^[ \t>*+-]*#{1,6}[^\n]*(?:findings|top\s+risks)/im.test(text)
