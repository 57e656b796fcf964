import { describe, expect, test } from 'vitest'
import { rankedRisksGap, TEXT_LIMIT_BYTES } from '../../../src/policy/ceo-review/ranked-risks.ts'

const RISKS = '1. Payment retries can double-charge when the provider times out.\n2. No rollback path.\n'
const lines = (...text: string[]) => `${text.join('\n')}\n`

const nestedList = (depth: number) =>
  Array.from({ length: depth }, (_, level) => `${' '.repeat(level * 2)}- a`).join('\n')

describe('a text ranks the top risks with', () => {
  test.each([
    ['a Findings section', `## Findings\n\n${RISKS}`],
    ['a Top risks section', `# Review\n\n### Top risks\n${RISKS}`],
    ['any case and words around', `## CEO review FINDINGS (ranked)\n\n${RISKS}`],
    ['a closed heading', `## Findings ##\n\n${RISKS}`],
    ['a setext heading', `Findings\n========\n\n${RISKS}`],
    ['a setext heading of level 2', `Top risks\n---\n\n${RISKS}`],
    ['marks inside the heading', `## **Top** *risks*\n\n${RISKS}`],
    ['a link in the heading', `## [Findings](#f)\n\n${RISKS}`],
    ['words between heading and list', `## Findings\n\nRanked by damage:\n\n${RISKS}`],
    ['a list right behind a paragraph', `## Findings\nRanked by damage:\n${RISKS}`],
    ['a nested heading', `## Findings\n\n### Payments\n\n${RISKS}`],
    ['a section behind another that falls short', `## Findings\n\n- a\n\n## Top risks\n\n${RISKS}`],
    ['a numbered list behind bullets', `## Findings\n\n- see below\n\n${RISKS}`],
    ['brackets behind the numbers', `## Findings\n\n1) Double charge\n2) No rollback\n`],
    ['one item', '## Findings\n\n1. Double charge\n'],
    ['one real item among placeholders', '## Findings\n\n1. [risk]\n2. TBD\n3. Double charge\n'],
    ['an item that starts with a link', '## Findings\n\n1. [Double charge](src/pay.ts)\n'],
    ['an item of code', '## Findings\n\n1. `src/pay.ts:12` retries\n'],
    ['an item with its text a line below', '## Findings\n\n1.\n   Double charge\n'],
    ['an item in other letters', '## Findings\n\n1. 支付重试会重复扣款\n'],
    ['a ticked item', '## Findings\n\n1. [x] Double charge\n'],
    ['a tagged item', '## Findings\n\n1. [P0] Double charge\n'],
    ['a heading indented by three', `   ## Findings\n\n${RISKS}`],
    ['carriage returns', `## Findings\r\n\r\n1. Double charge\r\n2. No rollback\r\n`],
    ['a byte order mark', `\uFEFF## Findings\n\n${RISKS}`],
    ['front matter', `---\nstatus: ACTIVE\n---\n\n## Findings\n\n${RISKS}`],
    ['a thematic break that is no front matter', `---\n\n## Findings\n\n${RISKS}\n---\n`],
    ['a table before the list', `## Findings\n\n| # | Risk |\n|---|------|\n| 1 | x |\n\n${RISKS}`],
    ['a comment before the list', `## Findings\n\n<!-- ranked -->\n\n${RISKS}`],
    ['a fence closed before', `\`\`\`\n## Example\n\`\`\`\n\n## Findings\n\n${RISKS}`],
    ['a deep list before', `${nestedList(15)}\n\n## Findings\n\n${RISKS}`],
    [
      'a report section behind',
      `## Findings\n\n${RISKS}\n## GSTACK REVIEW REPORT\n\n| Review | Findings |\n|---|---|\n`,
    ],
  ])('%s', (_, text) => {
    expect(rankedRisksGap(text)).toBeUndefined()
  })
})

describe('a text falls short with', () => {
  test.each([
    ['nothing', '', 'no-section'],
    ['no such heading', `## Risks\n\n${RISKS}`, 'no-section'],
    ['the words in a paragraph', `Findings\n\n${RISKS}`, 'no-section'],
    [
      'the words in a table',
      lines('| Review | Findings |', '|---|---|', '| CEO | 1. Double charge |'),
      'no-section',
    ],
    ['the words in front matter', `---\ntitle: Findings\n---\n\n${RISKS}`, 'no-section'],
    ['a heading without a blank', `##Findings\n\n${RISKS}`, 'buried-section'],
    ['the section in a fence', lines('```md', '## Findings', '', RISKS, '```'), 'buried-section'],
    ['the section in a fence that is never closed', `~~~\n\n## Findings\n\n${RISKS}`, 'buried-section'],
    ['the section in a comment', `<!--\n## Findings\n\n${RISKS}-->\n`, 'buried-section'],
    ['the section in a quote', '> ## Findings\n>\n> 1. Double charge\n', 'buried-section'],
    ['the section in indented code', `    ## Findings\n\n${RISKS}`, 'buried-section'],
    ['a commented heading text', `## <!-- Findings -->\n\n${RISKS}`, 'buried-section'],
    ['an empty section', '## Findings\n\nNone.\n', 'no-list'],
    ['the list under the next heading', `## Findings\n\n## Plan\n\n${RISKS}`, 'no-list'],
    ['the list under a higher heading', `### Findings\n\n# Plan\n\n${RISKS}`, 'no-list'],
    ['the list before the heading', `${RISKS}\n## Findings\n`, 'no-list'],
    ['the list in a fence', lines('## Findings', '```', '1. Double charge', '```'), 'no-list'],
    ['the list in a comment', '## Findings\n\n<!--\n1. Double charge\n-->\n', 'no-list'],
    ['the list in a quote', '## Findings\n\n> 1. Double charge\n', 'no-list'],
    ['a list in a table', '## Findings\n\n| Risk |\n|---|\n| 1. Double charge |\n', 'no-list'],
    ['bullets', '## Findings\n\n- Double charge\n- No rollback\n', 'bullets'],
    ['numbers inside bullets', '## Findings\n\n- Payments\n  1. Double charge\n', 'bullets'],
    ['a list that starts at 2', '## Findings\n\n2. Double charge\n3. No rollback\n', 'wrong-start'],
    ['a list that starts at 0', '## Findings\n\n0. Double charge\n', 'wrong-start'],
    ['placeholders', '## Findings\n\n1. [risk]\n2. TBD\n3. ...\n', 'placeholders'],
    ['bracketed templates', '## Findings\n\n1. [risk]: [impact]\n2. **[the next one]**\n', 'placeholders'],
    [
      'a labelled placeholder',
      '## Top risks\n\n1. Risk 1: TBD\n2. **Finding:** [describe it]\n',
      'placeholders',
    ],
    ['tags as placeholders', '## Findings\n\n1. <risk>\n2. <what breaks, where>\n', 'placeholders'],
    ['empty items', '## Findings\n\n1.\n2. <!-- risk -->\n3. [ ]\n', 'placeholders'],
    [
      'a placeholder that is explained',
      '## Findings\n\n1. TBD\n\n   To be filled in after the review.\n',
      'placeholders',
    ],
    ['an item of code alone', '## Findings\n\n1. ```\n   code\n   ```\n', 'placeholders'],
  ])('%s', (_, text, kind) => {
    expect(rankedRisksGap(text)?.kind).toBe(kind)
  })
})

test('names the section that came nearest', () => {
  const gap = rankedRisksGap(
    '## Early **findings**\n\n- a\n\n## Top risks\n\n3. Double charge\n\n## Findings of others\n',
  )

  expect(gap).toEqual({ kind: 'wrong-start', heading: 'Top risks', start: 3 })
})

/** About a second when the machine is idle; a parser that is not linear takes minutes. */
const BUSY_MACHINE_MS = 15_000

describe('a text made to be slow is read in time:', () => {
  const fill = (unit: string) => unit.repeat(Math.ceil(TEXT_LIMIT_BYTES / unit.length))

  test.each([
    ['brackets', fill('[')],
    ['emphasis', fill('*a **b ')],
    ['backticks', Array.from({ length: 1400 }, (_, length) => '`'.repeat(length)).join(' ')],
    ['quotes', fill('>')],
    ['lazy quotes', fill(`${'> '.repeat(90)}a\n${'a\n'.repeat(500)}`)],
    ['nested lists', fill(`${nestedList(90)}\n`)],
    ['very deep lists', nestedList(700)],
    ['short items', fill('1. a\n')],
    ['empty items', fill('1.\n')],
    ['headings', fill('## Findings\n')],
    ['placeholders', `## Findings\n\n${fill('1. [risk]\n')}`],
    ['comments that never end', fill('<!-- ')],
    ['tags', fill('<a ')],
    ['references', fill('[a]: b\n')],
    ['blank lines', fill('\n')],
    ['front matter that never ends', `---\na: b\n${fill('a: b\n')}`],
    ['top without risks', fill('top       ')],
    ['hashes', fill('#')],
  ])('%s', (_, text) => {
    const startedMs = performance.now()

    expect(rankedRisksGap(`${text}\n\n## Findings\n`)).toBeDefined()

    expect(performance.now() - startedMs).toBeLessThan(BUSY_MACHINE_MS)
  })
})
