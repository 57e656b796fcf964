import fc from 'fast-check'
import { expect, test } from 'vitest'
import type { SkillFile } from '../../../src/core/skill-file.ts'
import { findContract } from '../../../src/policy/contract/find.ts'
import { readContract } from '../../../src/policy/contract/schema.ts'
import { readFrontmatter } from '../../../src/store/frontmatter.ts'
import { EXAMPLE_CONTRACT } from '../../helpers/contract-story.ts'

const withItems = (...items: unknown[]) => ({ version: 1, items })
const check = { id: 'a', kind: 'check_after_last_edit' }

/** The problems of a contract; empty when it is valid. */
function problems(contract: unknown): readonly string[] {
  const read = readContract(contract)
  return read.kind === 'invalid' ? read.problems : []
}

test('the example of the docs is a contract', () => {
  expect(readContract(EXAMPLE_CONTRACT)).toEqual({ kind: 'contract', contract: EXAMPLE_CONTRACT })
})

test('a frontmatter without the field declares none', () => {
  expect(readContract(undefined)).toEqual({ kind: 'none' })
})

test('every kind takes its optional fields, a fix and a summary', () => {
  const items = [
    { id: 'a.1', kind: 'report_labels', heading: 'X', labels: ['Y'], fix: 'do it', summary: 'a report' },
    { id: 'b_2', kind: 'check_after_last_edit', match: '^just \\w+' },
    { id: 'c-3', kind: 'selected_specialists_dispatched', marker: 'N of N:', empty_marker: 'nobody' },
    { id: 'd', kind: 'agent_dispatch', match: 'red team' },
  ]

  expect(readContract(withItems(...items))).toEqual({ kind: 'contract', contract: { version: 1, items } })
})

test('twenty items are allowed, twenty-one are not', () => {
  const items = Array.from({ length: 21 }, (_, index) => ({ ...check, id: `i${index}` }))

  expect(problems(withItems(...items.slice(1)))).toEqual([])
  expect(problems(withItems(...items))).toEqual([
    'contract.items: must be a list of 1 to 20 items, not a list of 21',
  ])
})

test.each([
  ['contract: must be a mapping', null],
  ['contract: must be a mapping', ['x']],
  ['contract: must be a mapping', 'version 1'],
  ['contract.version: 2 is not supported', { version: 2, items: [check] }],
  ['contract.version: "1" is not supported', { version: '1', items: [check] }],
  ['contract.version: nothing is not supported', { items: [check] }],
  ['contract.items: must be a list', { version: 1 }],
  ['contract.items: must be a list', { version: 1, items: {} }],
  ['contract.items: must be a list of 1 to 20 items, not a list of 0', withItems()],
  ['contract.item: unknown field', { version: 1, items: [check], item: [] }],
  ['contract.items[0]: must be a mapping', withItems('a')],
  ['contract.items[1].id: "a" stands twice', withItems(check, check)],
  ['contract.items[0].id: must be lowercase letters', withItems({ ...check, id: 'Repro' })],
  ['contract.items[0].id: must be lowercase letters', withItems({ ...check, id: 1 })],
  ['contract.items[0].id: must be lowercase letters', withItems({ kind: 'check_after_last_edit' })],
  ['contract.items[0].kind: unknown kind "tests_pass"', withItems({ id: 'a', kind: 'tests_pass' })],
  ['contract.items[0].kind: unknown kind nothing', withItems({ id: 'a' })],
  ['contract.items[0].fix: must be a text', withItems({ ...check, fix: 3 })],
  ['contract.items[0].summary: must not be empty', withItems({ ...check, summary: ' ' })],
  ['contract.items[0].matches: unknown field', withItems({ ...check, matches: 'x' })],
  ['contract.items[0].heading: unknown field', withItems({ ...check, heading: 'x' })],
  ['contract.items[0].match: Invalid regular expression', withItems({ ...check, match: '(' })],
  ['contract.items[0].heading: is missing', withItems({ id: 'a', kind: 'report_labels', labels: ['x'] })],
  ['contract.items[0].labels: must be a list', withItems({ id: 'a', kind: 'report_labels', heading: 'x' })],
  [
    'contract.items[0].labels: must be a list',
    withItems({ id: 'a', kind: 'report_labels', heading: 'x', labels: [] }),
  ],
  [
    'contract.items[0].labels[1]: must be a text, not true',
    withItems({ id: 'a', kind: 'report_labels', heading: 'x', labels: ['y', true] }),
  ],
  ['contract.items[0].match: is missing', withItems({ id: 'a', kind: 'agent_dispatch' })],
  [
    'contract.items[0].marker: agent_dispatch cannot bind a marker',
    withItems({ id: 'a', kind: 'agent_dispatch', match: 'x', marker: 'y' }),
  ],
])('%s is said of %j', (problem, contract) => {
  expect(problems(contract).join('\n')).toContain(problem)
})

test('all problems of a contract are named at once', () => {
  expect(
    problems({
      version: 2,
      items: [
        { ...check, id: 'A' },
        { id: 'b', kind: 'x' },
      ],
    }),
  ).toHaveLength(3)
})

test('no value makes the reader throw', () => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.jsonValue(), (any, item) => {
      readContract(any)
      readContract(withItems(item, { ...check, match: any, fix: item }))
    }),
  )
})

test('block and flow style are the same contract', () => {
  const block = `---
name: investigate
contract:
  version: 1
  items:
    - id: debug-report
      kind: report_labels
      heading: DEBUG REPORT
      labels: [Symptom, Root cause, Fix, Evidence]
    - id: repro-after-fix
      kind: check_after_last_edit
---
`
  const flow = `---\r\ncontract: { version: 1, items: [ { id: debug-report, kind: report_labels, heading: DEBUG REPORT, labels: [Symptom, "Root cause", Fix, Evidence] }, { id: repro-after-fix, kind: check_after_last_edit } ] }\r\n---\r\n`

  for (const text of [block, flow, `\ufeff${block}`]) {
    const frontmatter = readFrontmatter(text)
    const fields = frontmatter.kind === 'read' ? frontmatter.fields : {}
    expect(readContract(fields['contract'])).toEqual({ kind: 'contract', contract: EXAMPLE_CONTRACT })
  }
})

const skill = (name: string, fields: Record<string, unknown> = {}): SkillFile => ({
  name,
  file: `/skills/${name}/SKILL.md`,
  frontmatter: { kind: 'read', fields },
})

test('a skill is found by its directory first, then by its own name, with and without the prefix', () => {
  const skills = [
    skill('other', { name: 'investigate' }),
    skill('gstack-investigate', { contract: EXAMPLE_CONTRACT }),
    skill('gstack-x', { name: 'review', contract: EXAMPLE_CONTRACT }),
  ]

  expect(findContract(skills, 'investigate')).toMatchObject({
    kind: 'contract',
    file: '/skills/gstack-investigate/SKILL.md',
  })
  expect(findContract(skills, '/gstack-review')).toMatchObject({
    kind: 'contract',
    file: '/skills/gstack-x/SKILL.md',
  })
  expect(findContract(skills, 'other')).toEqual({ kind: 'no-contract', file: '/skills/other/SKILL.md' })
  expect(findContract(skills, 'qa')).toEqual({ kind: 'not-installed' })
})
