import { describe, expect, test } from 'vitest'
import type { LastMessage } from '../../../src/transcript/last-message.ts'
import { isFinalTurn, lastStatus, turnEndOf } from '../../../src/transcript/final-turn.ts'

const says = (...texts: string[]) => ({ texts, openTools: [] })

describe('in an interactive session', () => {
  test.each([
    ['a statement', 'The review is written.'],
    ['a STATUS line', 'STATUS: DONE'],
    ['a STATUS line before a closing question', 'Status: DONE_WITH_CONCERNS\n\nShall I go on?'],
    ['a bold STATUS line', '**STATUS:** BLOCKED\n\nShall I go on?'],
    ['a STATUS line with the marks inside', '**Status: DONE** - all good. More?'],
    ['a STATUS line as a bullet', '- STATUS: DONE\n\nWhat next?'],
    ['a status inside a report fence', '```\nDEBUG REPORT\nStatus:          DONE\n```\nWhat next?'],
    ['a question that is answered below', 'What changed?\n\n- the plan\n- the tests'],
    ['a question and its numbered answers', 'What changed?\n1. the plan\n2. the tests'],
    ['a question and its answer', 'Q: What changed?\nA: the plan.'],
    ['a question mark in a code block', 'Done.\n\n```\nok?\n```'],
    ['nothing at all', ''],
  ])('%s ends the turn', (_, text) => {
    expect(isFinalTurn(says(text), 'interactive')).toBe(true)
  })

  test.each([
    ['a closing question', 'I read the plan.\n\nWhich mode do you want?'],
    ['a closing question in bold', '**Which mode do you want?**'],
    ['a closing question in brackets and quotes', '(Do you mean "the plan?")'],
    ['a full-width question mark', '要继续吗？'],
    ['a question with its lettered options', 'Which mode?\n\nA) Expand\nB) Hold\n\n'],
    ['a question with bold lettered options', 'Which mode?\n\n- **A)** Expand\n- **B)** Hold'],
    ['NEEDS_CONTEXT', 'STATUS: NEEDS_CONTEXT\n\nThe plan file is missing.'],
    ['NEEDS_CONTEXT after an earlier DONE', 'STATUS: DONE\n\nSTATUS: NEEDS_CONTEXT'],
    ['a template of STATUS values', 'STATUS: DONE | BLOCKED\n\nWhich one?'],
    ['a quoted STATUS line', '> STATUS: DONE\n\nIs that right?'],
    ['a status in prose', 'Status: done with the reading. Go on?'],
    [
      'a decision brief',
      '## D3 — How far should the plan go\n\nReply with a letter.\n\n**Recommendation:** A because it is small.\n\nA) Hold\nB) Expand\n\nNet: A is safer.',
    ],
    ['a numbered part of a decision brief', 'D3.2 — Scope\nRecommendation: B because it pays.\nNet: B.'],
  ])('%s waits for the user', (_, text) => {
    expect(isFinalTurn(says(text), 'interactive')).toBe(false)
  })

  test.each(['AskUserQuestion', 'mcp__conductor__AskUserQuestion', 'mcp__a__b__AskUserQuestion'])(
    'an open %s call waits for the user',
    (tool) => {
      expect(isFinalTurn({ texts: ['Done.'], openTools: ['Read', tool] }, 'interactive')).toBe(false)
    },
  )

  test('a tool whose name only ends alike is no question', () => {
    expect(isFinalTurn({ texts: ['Done.'], openTools: ['NotAskUserQuestion'] }, 'interactive')).toBe(true)
  })

  test('a recommendation above a D title is no decision brief', () => {
    expect(isFinalTurn(says('Recommendation: ship it.\n\nD3 — done.'), 'interactive')).toBe(true)
  })

  test('a STATUS line of an earlier text block counts', () => {
    expect(isFinalTurn(says('STATUS: DONE', 'Anything else?'), 'interactive')).toBe(true)
  })

  test('only the last text block can close with a question', () => {
    expect(isFinalTurn(says('Which one?', 'The first one, as the plan says.'), 'interactive')).toBe(true)
  })
})

test.each(['headless', 'unattended'] as const)('in a %s session every turn is final', (kind) => {
  expect(
    isFinalTurn({ texts: ['STATUS: NEEDS_CONTEXT\n\nWhich one?'], openTools: ['AskUserQuestion'] }, kind),
  ).toBe(true)
})

test('the last STATUS line is the one that counts', () => {
  expect(lastStatus('STATUS: BLOCKED\nSTATUS: DONE_WITH_CONCERNS')).toBe('DONE_WITH_CONCERNS')
})

test.each([
  ['blank lines', '\n'.repeat(200_000)],
  ['blanks', ' '.repeat(200_000)],
  ['asterisks', `${'*'.repeat(200_000)}x`],
])('a text of many %s is judged at once', (_, text) => {
  const startedMs = performance.now()

  expect(isFinalTurn(says(text), 'interactive')).toBe(true)

  expect(performance.now() - startedMs).toBeLessThan(500)
})

describe('the last message', () => {
  const onDisk = (part: Partial<LastMessage>): LastMessage => ({
    id: 'm1',
    line: 7,
    texts: ['First block.', 'Second block.'],
    tools: [],
    answered: false,
    ...part,
  })

  test('has the earlier text blocks that the payload lacks', () => {
    expect(turnEndOf(onDisk({}), 'Second block.\n').texts).toEqual(['First block.', 'Second block.'])
  })

  test('is the payload alone while the transcript ends with the prompt', () => {
    expect(turnEndOf(onDisk({ answered: true, tools: ['AskUserQuestion'] }), 'New words.')).toEqual({
      texts: ['New words.'],
      openTools: [],
    })
  })

  test('keeps an open question when the payload repeats an earlier text', () => {
    expect(turnEndOf(onDisk({ texts: [], tools: ['AskUserQuestion'] }), 'Older words.').openTools).toEqual([
      'AskUserQuestion',
    ])
  })

  test('comes from the transcript when the payload has no text', () => {
    expect(turnEndOf(onDisk({}), undefined).texts).toEqual(['First block.', 'Second block.'])
  })

  test('has no open question once it was answered', () => {
    expect(turnEndOf(onDisk({ answered: true, tools: ['AskUserQuestion'] }), undefined).openTools).toEqual([])
  })
})
