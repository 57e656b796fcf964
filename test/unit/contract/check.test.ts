import { describe, expect, test } from 'vitest'
import { DENIED, FAILED, REPORT, story, UNANSWERED, type Story } from '../../helpers/contract-story.ts'
import { MET, oneItem, start, states } from './states.ts'

test('a report with values and a test run after the last edit meet the example', () => {
  expect(states(start().edits().bash('bun test').says(REPORT))).toEqual(MET)
})

test('an edit without report and test run misses both', () => {
  expect(states(start().edits().says('Fixed: the null check was missing.'))).toEqual({
    'debug-report': 'missing',
    'repro-after-fix': 'missing',
  })
})

describe('report_labels', () => {
  const report = oneItem({
    kind: 'report_labels',
    heading: 'DEBUG REPORT',
    labels: ['Symptom', 'Root cause', 'Fix'],
  })
  const stateAfter = (...messages: string[]) =>
    states(
      messages.reduce((told, text) => told.says(text), start()),
      report,
    )['it']
  const filled = 'DEBUG REPORT\nSymptom: a\nRoot cause: b\nFix: c'

  test.each([
    ['plain', filled],
    ['in a fence', `Done.\n\n\`\`\`\n${filled}\n\`\`\``],
    ['bold', '**DEBUG REPORT**\n\n**Symptom:** a\n**Root cause**: b\n- **Fix:** c'],
    ['as a list under a heading', '## DEBUG REPORT\n\n* Symptom: a\n* Root cause: b\n* Fix: c'],
    ['numbered', 'DEBUG REPORT:\n1. Symptom: a\n2. Root cause: b\n3. Fix: c'],
    ['quoted', '> DEBUG REPORT\n> Symptom: a\n> Root cause: b\n> Fix: c'],
    ['with CRLF', filled.replaceAll('\n', '\r\n')],
    ['with other capitals in a label', filled.replace('Root cause', 'Root Cause')],
    ['with a value beneath its label', 'DEBUG REPORT\nSymptom: a\nRoot cause:\n  b\nFix:\n- c'],
    ['with a value in a fence beneath', 'DEBUG REPORT\nSymptom: a\nRoot cause: b\nFix:\n```\nc\n```'],
    ['with a link as value', filled.replace('Fix: c', 'Fix: [the commit](https://example.com)')],
    [
      'with the template before it',
      `DEBUG REPORT\nSymptom: [what]\nRoot cause: [why]\nFix: [how]\n\n${filled}`,
    ],
  ])('a report %s counts', (_, text) => {
    expect(stateAfter(text)).toBe('met')
  })

  test.each([
    ['without the heading', filled.replace('DEBUG REPORT', 'Summary')],
    ['without a label', filled.replace('Fix: c', '')],
    ['with an empty value', filled.replace('Fix: c', 'Fix:')],
    ['with an empty value before another label', filled.replace('Root cause: b', 'Root cause:')],
    ['with an empty value before a status', 'DEBUG REPORT\nSymptom: a\nRoot cause: b\nFix:\n  Status: DONE'],
    ['with an empty value before a rule', 'DEBUG REPORT\n  Symptom: a\n  Root cause: b\n  Fix:\n    ═════'],
    ['with brackets', filled.replace('Fix: c', 'Fix: [what was changed]')],
    ['with angle brackets', filled.replace('Fix: c', 'Fix: <fix>')],
    ['with TBD', filled.replace('Fix: c', 'Fix: TBD')],
    ['with a bold TODO', filled.replace('Fix: c', '**Fix:** **TODO**')],
    ['with dots', filled.replace('Fix: c', 'Fix: ...')],
    ['with a template of words', filled.replace('Fix: c', 'Fix: DONE | BLOCKED')],
    ['with a label inside a sentence', filled.replace('Fix: c', 'the Fix: c')],
    ['with another label that starts alike', filled.replace('Root cause: b', 'Root cause hypothesis: b')],
  ])('a report %s does not', (_, text) => {
    expect(stateAfter(text)).toBe('missing')
  })

  test('the last report counts, not a better one before it', () => {
    expect(stateAfter(filled, 'DEBUG REPORT\nSymptom: a\nRoot cause: TBD\nFix: c')).toBe('missing')
    expect(stateAfter(filled, 'DEBUG REPORT')).toBe('missing')
    expect(stateAfter('DEBUG REPORT\nSymptom: TBD', filled)).toBe('met')
  })

  test('a later mention of the report is no report', () => {
    expect(stateAfter(filled, 'The DEBUG REPORT above is complete. STATUS: DONE')).toBe('met')
  })

  test('the blocks of one message are one report, whether the last is on disk or only in the payload', () => {
    const [head, tail] = ['DEBUG REPORT\nSymptom: a\nRoot cause: b', 'Fix: c'] as const

    expect(states(start().says(head, tail), report)['it']).toBe('met')
    expect(states(start().says(`${head}\n${tail}`), report, 'investigate', `${head}\n${tail}`)['it']).toBe(
      'met',
    )
    expect(states(start().bash('ls'), report, 'investigate', filled)['it']).toBe('met')
  })

  test('a report of a tool, a user or a subagent is none of the assistant', () => {
    const told = start().bash('cat report.md', { result: filled }).prompts(filled)
    told.record({
      type: 'assistant',
      isSidechain: true,
      message: { content: [{ type: 'text', text: filled }] },
    })

    expect(states(told, report)['it']).toBe('missing')
  })
})

describe('check_after_last_edit', () => {
  const check = oneItem({ kind: 'check_after_last_edit' })
  const stateOf = (told: Story, item = check) => states(told, item)['it']

  test('nothing is due when nothing was edited', () => {
    expect(stateOf(start().says('Only looked.'))).toBe('met')
  })

  test.each(['Edit', 'Write', 'MultiEdit', 'NotebookEdit'])(
    '%s after the test run asks for another one',
    (tool) => {
      expect(stateOf(start().edits().bash('npm test').calls(tool, { file_path: 'a' }))).toBe('missing')
    },
  )

  test('denied and failed edits are no edits', () => {
    expect(stateOf(start().edits('a', DENIED).edits('b', FAILED))).toBe('met')
  })

  test('a failed test run counts, a denied or rejected one does not', () => {
    expect(stateOf(start().edits().bash('npm test', FAILED))).toBe('met')
    expect(stateOf(start().edits().bash('npm test', DENIED))).toBe('missing')
    const rejected = { result: "The user doesn't want to proceed with this tool use.", isError: true }
    expect(stateOf(start().edits().bash('npm test', rejected))).toBe('missing')
  })

  test('a background run counts from its launch', () => {
    const launched = start().edits().calls('Bash', { command: 'npm test', run_in_background: true })

    expect(stateOf(launched)).toBe('met')
    expect(stateOf(launched.edits())).toBe('missing')
  })

  test('the test run of a subagent does not count', () => {
    const told = start().edits()
    told.record({
      type: 'assistant',
      isSidechain: true,
      message: { content: [{ type: 'tool_use', id: 't', name: 'Bash', input: { command: 'npm test' } }] },
    })

    expect(stateOf(told)).toBe('missing')
  })

  test('a pattern of the skill takes the place of the table', () => {
    const own = oneItem({ kind: 'check_after_last_edit', match: '^just verify-\\w+' })

    expect(stateOf(start().edits().bash('npm test'), own)).toBe('missing')
    expect(stateOf(start().edits().bash('just verify-login'), own)).toBe('met')
  })
})

describe('selected_specialists_dispatched', () => {
  const specialists = oneItem({ kind: 'selected_specialists_dispatched' })
  const review = () => story().prompts('Review this.').loads('review')
  const stateOf = (told: Story, item: unknown = specialists) => states(told, item, 'review')['it']

  test('each selected specialist needs a dispatch that mentions it', () => {
    const selected = review().says(
      'Dispatching 2 specialists: Testing, Data Migration. Skipped: Design (scope not detected).',
    )

    expect(stateOf(selected.agent('Testing specialist review'))).toBe('missing')
    expect(stateOf(selected.agent('data-migration pass'))).toBe('met')
  })

  test('a name must stand as a word of its own, in description, prompt or type', () => {
    const selected = () => review().says('Dispatching 1 specialists: Design')

    expect(stateOf(selected().agent('Designing tests'))).toBe('missing')
    expect(
      stateOf(selected().calls('Task', { description: 'x', prompt: 'You are the DESIGN specialist.' })),
    ).toBe('met')
    expect(
      stateOf(selected().calls('Agent', { description: 'x', prompt: 'y', subagent_type: 'design' })),
    ).toBe('met')
  })

  test('a dispatch that failed or was denied is none; one that still runs is one', () => {
    const selected = () => review().says('Dispatching 1 specialists: Security')

    expect(stateOf(selected().agent('Security', FAILED))).toBe('missing')
    expect(stateOf(selected().agent('Security', DENIED))).toBe('missing')
    expect(stateOf(selected().agent('Security', UNANSWERED))).toBe('met')
  })

  test.each([
    'Dispatching 0 specialists: (small diff)',
    'Small diff (12 lines) — specialists skipped.',
    '**Dispatching 0 specialists:** none fit',
  ])('%s selects nobody', (line) => {
    expect(stateOf(review().says(line))).toBe('met')
  })

  test('text in parentheses is no name', () => {
    const told = review()
      .says('Dispatching 1 specialists: State Machines (small diff)')
      .agent('State Machines')

    expect(stateOf(told)).toBe('met')
  })

  test('the line may be printed by a command, but not by a page or a file', () => {
    const line = 'Dispatching 0 specialists: (small diff)'

    expect(stateOf(review().bash('bin/select', { result: `scope\n${line}\n` }))).toBe('met')
    expect(stateOf(review().calls('WebFetch', { url: 'https://example.com' }, { result: line }))).toBe(
      'missing',
    )
    expect(stateOf(review().calls('Read', { file_path: 'a.md' }, { result: line }))).toBe('missing')
    expect(stateOf(review().prompts(line))).toBe('missing')
  })

  test.each([
    'Dispatching N specialists: [names]. Skipped: [names]',
    'Dispatching 2 specialists: [Testing], <Design>',
    'Dispatching 1 specialists: ${names}',
    `Dispatching 1 specialists: ${'a'.repeat(41)}`,
    'Dispatching 2 specialists:',
    'dispatching some specialists: Testing',
    'Small diff (<lines> lines) — specialists skipped.',
  ])('%s is no selection', (line) => {
    expect(stateOf(review().says(line).agent('Testing Design names'))).toBe('missing')
  })

  test('the last of several selections counts', () => {
    const told = review()
      .says('Dispatching 1 specialists: Testing')
      .says('Dispatching 1 specialists: Security')

    expect(stateOf(told.agent('Security'))).toBe('met')
  })

  test('a count tells whether "and" parts two names', () => {
    const told = review().says('Dispatching 3 specialists: Testing, Security and Design.')

    expect(stateOf(told.agent('Testing').agent('Security').agent('Design'))).toBe('met')
    expect(
      stateOf(review().says('Dispatching 1 specialists: Search and Indexing').agent('Search and Indexing')),
    ).toBe('met')
  })

  test('markers of the skill take the place of the defaults', () => {
    const own = oneItem({
      kind: 'selected_specialists_dispatched',
      marker: 'Sending (N) reviewers to N files:',
      empty_marker: 'no reviewers today',
    })

    expect(stateOf(review().says('Sending (1) reviewers to 4 files: Ann').agent('Ann looks'), own)).toBe(
      'met',
    )
    expect(stateOf(review().says('no reviewers today'), own)).toBe('met')
    expect(stateOf(review().says('Dispatching 0 specialists: none'), own)).toBe('missing')
  })
})

describe('agent_dispatch', () => {
  const dispatch = oneItem({ kind: 'agent_dispatch', match: 'red.?team' })
  const stateOf = (told: Story) => states(told, dispatch)['it']

  test('description or prompt may match, in any case', () => {
    expect(stateOf(start().agent('Red Team review'))).toBe('met')
    expect(stateOf(start().calls('Agent', { description: 'x', prompt: 'be the RED-TEAM' }))).toBe('met')
  })

  test('other tools and failed dispatches do not', () => {
    expect(stateOf(start().bash('echo red team').agent('Red Team', FAILED))).toBe('missing')
  })

  test('a pattern that would run for years ends as an error', () => {
    const told = start().agent(`${'a'.repeat(60)}!`)

    expect(() => states(told, oneItem({ kind: 'agent_dispatch', match: '(a+)+$' }))).toThrow(
      'took over 200 ms',
    )
  })
})
