import fc from 'fast-check'
import { expect, test } from 'vitest'
import { rankedRisksGap } from '../../../src/policy/ceo-review/ranked-risks.ts'

/** Blocks that neither rank risks nor keep the ones around them from doing so. */
const noise = fc.constantFrom(
  'The plan is sound, and the findings are few.',
  '1. Not below a heading of that name.',
  '- Findings\n- Top risks',
  '> ## Findings\n>\n> 1. Quoted',
  '```md\n## Findings\n\n1. In a fence\n```',
  '~~~\n## Top risks\n1. In a tilde fence\n~~~',
  '<!--\n## Findings\n\n1. In a comment\n-->',
  '| Findings | Top risks |\n| --- | --- |\n| 1. In a table | x |',
  '    ## Findings\n\n    1. In indented code',
  '* * *',
  '[findings]: https://example.invalid "Top risks"',
)
/** A heading of level 1 closes every section. */
const document = fc
  .array(noise, { maxLength: 6 })
  .map((blocks) => ['# Plan', ...blocks, '# End of part'].join('\n\n'))

const heading = fc
  .tuple(
    fc.integer({ min: 1, max: 6 }),
    fc.constantFrom('Findings', 'Top risks', 'TOP **RISKS**', 'Key findings (ranked)'),
  )
  .map(([depth, text]) => `${'#'.repeat(depth)} ${text}`)
const mark = fc.constantFrom('.', ')')
const section = fc
  .tuple(
    heading,
    mark,
    fc.array(fc.constantFrom('[risk]', 'TBD', 'Double charge on retry'), { maxLength: 4 }),
  )
  .map(([title, dot, others]) => {
    const items = [...others, 'No rollback path'].map((item, index) => `${String(index + 1)}${dot} ${item}`)
    return `${title}\n\n${items.join('\n')}`
  })
const newline = fc.constantFrom('\n', '\r\n')

test('a section that ranks risks is found among any other blocks', () => {
  fc.assert(
    fc.property(document, section, document, newline, (before, ranked, after, eol) => {
      const text = [before, ranked, after].join('\n\n').replaceAll('\n', eol)

      expect(rankedRisksGap(text)).toBeUndefined()
    }),
  )
})

test('no blocks without such a section rank risks', () => {
  fc.assert(
    fc.property(document, newline, (text, eol) => {
      expect(rankedRisksGap(text.replaceAll('\n', eol))).toBeDefined()
    }),
  )
})

test('a section whose list starts elsewhere than at 1 never counts', () => {
  fc.assert(
    fc.property(heading, fc.integer({ min: 2, max: 999_999_999 }), mark, (title, start, dot) => {
      const gap = rankedRisksGap(`${title}\n\n${String(start)}${dot} No rollback path\n`)

      expect(gap).toMatchObject({ kind: 'wrong-start', start })
    }),
  )
})

test('any text has an answer', () => {
  const unit = fc.constantFrom(
    '#',
    ' ',
    '\n',
    '\r',
    '\t',
    '`',
    '-',
    '>',
    '1.',
    '<!--',
    '-->',
    '[',
    ']',
    '*',
    '|',
    'Findings',
    'Top risks',
    'TBD',
    '\0',
  )
  fc.assert(
    fc.property(fc.string({ unit, maxLength: 200 }), (text) => {
      expect(() => rankedRisksGap(text)).not.toThrow()
    }),
    { numRuns: 1_000 },
  )
})
