import { expect, test } from 'vitest'
import { hintFor, parseHintKind } from '../../../src/policy/route/hint.ts'

const BODY = '# Title\n\n## Preamble (run first)\n\n## Step 0: Find   the **scope**.\n\n## Step 1: Later\n'
const CONTRACT = { version: 1, items: [{ id: 'debug-report', summary: 'the debug report' }, { id: 'repro' }] }

test('the plain hint names its source, the skill, what to tell the user and the off switch, in one line', () => {
  expect(hintFor('name', { skill: 'investigate' })).toMatchInlineSnapshot(
    `"gstack skill routing (UserPromptSubmit hook; off switch: gstack-config set skill_routing off): this request fits /investigate. Run /investigate with the Skill tool before you start. Tell the user in one sentence that gstack routed this request."`,
  )
})

test('the step hint adds the first step', () => {
  expect(hintFor('step', { skill: 'qa', body: BODY })).toContain(' Its first step: Find the scope. ')
})

test('the contract hint adds what must exist in the end', () => {
  expect(hintFor('contract', { skill: 'qa', contract: CONTRACT })).toContain(
    ' It is done when these exist: the debug report; repro. ',
  )
})

test.each([
  ['step', { skill: 'qa', body: 'no steps here' }],
  ['step', { skill: 'qa' }],
  ['contract', { skill: 'qa', contract: { items: 'none' } }],
  ['contract', { skill: 'qa', contract: { items: [null, { id: 1 }] } }],
  ['contract', { skill: 'qa' }],
] as const)('the %s hint of a skill without one is the plain one', (kind, subject) => {
  expect(hintFor(kind, subject)).toBe(hintFor('name', { skill: 'qa' }))
})

test('a hint stays one line of bounded length', () => {
  const hint = hintFor('step', { skill: 'qa', body: `## Step 1: ${'long '.repeat(500)}` })

  expect(hint).not.toContain('\n')
  expect(hint.length).toBeLessThan(700)
})

test('an unknown wording is the plain one', () => {
  expect(['name', 'step', 'contract', 'all', '', undefined].map(parseHintKind)).toEqual([
    'name',
    'step',
    'contract',
    'name',
    'name',
    'name',
  ])
})
