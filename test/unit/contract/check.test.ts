import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { boundedMatch } from '../../../src/core/bounded-match.ts'
import { checkRun } from '../../../src/policy/contract/check.ts'
import { readContract } from '../../../src/policy/contract/schema.ts'
import { findLoads, hasKnownShape, readRun } from '../../../src/transcript/contract-run.ts'
import { readEvents, type TranscriptEvent } from '../../../src/transcript/event.ts'
import {
  DENIED,
  EXAMPLE_CONTRACT,
  FAILED,
  REPORT,
  story,
  UNANSWERED,
  type Story,
} from '../../helpers/contract-story.ts'

const match = boundedMatch(200)

/** The state of each item, for the last run of the skill. */
function states(told: Story, contract: unknown = EXAMPLE_CONTRACT, skill = 'investigate', lastText?: string) {
  return statesOf(told.events(), contract, skill, lastText)
}

function statesOf(
  events: readonly TranscriptEvent[],
  contract: unknown,
  skill: string,
  lastText?: string,
): Record<string, string> {
  const read = readContract(contract)
  if (read.kind !== 'contract') throw new Error(JSON.stringify(read))
  const load = findLoads(events).findLast((candidate) => candidate.skill === skill)
  if (load === undefined) throw new Error(`${skill} is not loaded`)
  const { items } = checkRun(read.contract, readRun(events, load, lastText), match)
  return Object.fromEntries(items.map(({ item, state }) => [item.id, state]))
}

const oneItem = (item: Record<string, unknown>) => ({ version: 1, items: [{ id: 'it', ...item }] })

const start = () => story().prompts('The login fails.').loads('investigate')
const MET = { 'debug-report': 'met', 'repro-after-fix': 'met' }

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

describe('the run', () => {
  test.each([
    ['typed', () => story().typed('investigate', 'the login')],
    ['the Skill tool', () => story().loads('/gstack-investigate')],
    ['a Read', () => story().calls('Read', { file_path: '/home/you/.claude/skills/investigate/SKILL.md' })],
    ['a relative Read', () => story().calls('Read', { file_path: '../x/skills/investigate/SKILL.md' })],
  ])('begins with a load by %s', (_, told) => {
    expect(states(told().edits())['repro-after-fix']).toBe('missing')
  })

  test.each([
    ['a failed Skill call', () => story().loads('investigate', FAILED)],
    ['a failed Read', () => story().calls('Read', { file_path: '/a/skills/investigate/SKILL.md' }, FAILED)],
    [
      'the source in a checkout',
      () => story().calls('Read', { file_path: '/src/gstack/investigate/SKILL.md' }),
    ],
    ['a mention', () => story().prompts('please run /investigate').says('/investigate')],
    ['cat', () => story().bash('cat ~/.claude/skills/investigate/SKILL.md')],
  ])('does not begin with %s', (_, told) => {
    expect(findLoads(told().events())).toEqual([])
  })

  test('a new load of the skill begins anew, one of another skill does not', () => {
    expect(states(start().edits().loads('investigate'))['repro-after-fix']).toBe('met')
    expect(states(start().edits().loads('review'))['repro-after-fix']).toBe('missing')
  })

  test('an earlier run ends at the next load of its skill', () => {
    const events = start().says(REPORT).loads('investigate').edits().events()
    const [first] = findLoads(events)

    const run = readRun(events, first!, 'ignored')

    expect(run.calls).toEqual([])
    expect(run.messages.map(({ text }) => text)).toEqual([REPORT])
  })
})

describe('an early end', () => {
  test.each([
    'STATUS: BLOCKED',
    '**Status:** BLOCKED — no access',
    'DEBUG REPORT\nSymptom: a\nStatus: BLOCKED',
  ])('%s meets every item', (text) => {
    expect(states(start().edits().says(text))).toEqual(MET)
  })

  test('"Nothing to review" at the start of a line meets every item', () => {
    expect(states(start().edits().says('Checked.\n\n**Nothing to review** — no diff.'))).toEqual(MET)
  })

  test.each([
    'STATUS: DONE',
    'Status: DONE | BLOCKED',
    'Status: BLOCKED | DONE',
    'I was BLOCKED',
    'There is nothing to review',
    'Is there Nothing to review?',
  ])('%s does not', (text) => {
    expect(states(start().edits().says(text))['repro-after-fix']).toBe('missing')
  })

  test('only a status that the run ended with counts', () => {
    expect(states(start().says('STATUS: BLOCKED').edits().says('Going on.'))['repro-after-fix']).toBe(
      'missing',
    )
    expect(
      states(start().edits().says('STATUS: BLOCKED').prompts('Try again.').says('STATUS: DONE'))[
        'repro-after-fix'
      ],
    ).toBe('missing')
  })

  test('turns without a status change nothing', () => {
    expect(
      states(start().edits().says('STATUS: BLOCKED').prompts('Thanks.').says('You are welcome.')),
    ).toEqual(MET)
  })
})

describe('waivers', () => {
  const waived = (command: string, options?: Parameters<Story['bash']>[1]) =>
    states(start().edits().bash(command, options).says(REPORT))['repro-after-fix']

  test.each([
    `gstack-skill-contract waive repro-after-fix --reason "docs only"`,
    `'/opt/my gstack/bin/gstack-skill-contract' waive repro-after-fix --reason "docs only"`,
    `"/opt/gstack/bin/gstack-skill-contract" waive repro-after-fix --reason='docs only'`,
    `/opt/gs\\ tack/bin/gstack-skill-contract waive repro-after-fix --reason docs\\ only`,
    `gstack-skill-contract waive --reason "docs only" repro-after-fix`,
    `gstack-skill-contract waive repro-after-fix --skill investigate --reason "docs only"`,
    `gstack-skill-contract waive repro-after-fix --skill=gstack-investigate --reason $'docs\\nonly'`,
    `cd /repo && gstack-skill-contract waive repro-after-fix \\\n  --reason "docs only"`,
    `GSTACK_HOME=/tmp gstack-skill-contract waive repro-after-fix --reason "docs only" 2>&1 | tail -1`,
  ])('%s waives', (command) => {
    expect(waived(command)).toBe('waived')
  })

  test.each([
    `gstack-skill-contract waive repro-after-fix`,
    `gstack-skill-contract waive repro-after-fix --reason ""`,
    `gstack-skill-contract waive repro-after-fix --reason "<why>"`,
    `gstack-skill-contract waive repro-after-fix --reason --json`,
    `gstack-skill-contract waive repro-after-fix --skill review --reason "docs only"`,
    `gstack-skill-contract waive debug-report --reason "docs only"`,
    `echo gstack-skill-contract waive repro-after-fix --reason "docs only"`,
    `echo "gstack-skill-contract waive repro-after-fix --reason 'docs only'"`,
    `# gstack-skill-contract waive repro-after-fix --reason "docs only"`,
    `cat <<EOF\ngstack-skill-contract waive repro-after-fix --reason "docs only"\nEOF`,
    `gstack-skill-contract check --skill investigate`,
  ])('%s does not', (command) => {
    expect(waived(command)).toBe('missing')
  })

  test('a call that failed or was denied waives nothing', () => {
    const command = 'gstack-skill-contract waive repro-after-fix --reason "docs only"'

    expect(waived(command, FAILED)).toBe('missing')
    expect(waived(command, DENIED)).toBe('missing')
    expect(waived(`${command} || true`, { result: 'SKILL_CONTRACT_USAGE investigate: no' })).toBe('missing')
  })

  test('what is met needs no waiver', () => {
    const told = start().bash('gstack-skill-contract waive repro-after-fix --reason "docs only"').says(REPORT)

    expect(states(told)['repro-after-fix']).toBe('met')
  })
})

describe('properties', () => {
  const piece = fc.constantFrom<(told: Story) => Story>(
    (told) => told.edits(),
    (told) => told.bash('npm test'),
    (told) => told.bash('ls'),
    (told) => told.says(REPORT),
    (told) => told.says('Fixed.'),
    (told) => told.says('STATUS: BLOCKED'),
    (told) => told.says('Nothing to review'),
    (told) => told.prompts('Go on.'),
    (told) => told.bash('gstack-skill-contract waive repro-after-fix --reason "docs"'),
  )
  const tell = (pieces: readonly ((told: Story) => Story)[]) =>
    pieces.reduce((told, next) => next(told), start())

  test('the same transcript gives the same answer', () => {
    fc.assert(
      fc.property(fc.array(piece), (pieces) => {
        expect(states(tell(pieces))).toEqual(states(tell(pieces)))
      }),
    )
  })

  test('unrelated turns never turn met into unmet', () => {
    const unrelated = fc.constantFrom<(told: Story) => Story>(
      (told) => told.prompts('What is the weather?').says('I cannot know.'),
      (told) => told.prompts('Show the files.').bash('ls -la').says('There are two.'),
      (told) => told.prompts('Thanks').says('Is there more?'),
      (told) => told.loads('review').says('The DEBUG REPORT above stands.'),
      (told) => told.calls('Read', { file_path: 'a.md' }, { result: 'DEBUG REPORT\nSymptom: TBD' }),
    )
    fc.assert(
      fc.property(fc.array(piece), fc.array(unrelated), (pieces, more) => {
        const before = states(tell(pieces))

        const after = states(
          more.reduce((told, next) => next(told), tell([...pieces, (told) => told.prompts('.')])),
        )

        for (const [id, state] of Object.entries(before)) if (state === 'met') expect(after[id]).toBe('met')
      }),
    )
  })

  test('no bytes make the parser throw', () => {
    const line = fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.json(),
      fc
        .record({
          type: fc.constantFrom('user', 'assistant', 'attachment', 'x'),
          message: fc.oneof(fc.jsonValue(), fc.record({ id: fc.jsonValue(), content: fc.jsonValue() })),
          toolUseResult: fc.jsonValue(),
          attachment: fc.jsonValue(),
        })
        .map((record) => JSON.stringify(record)),
    )
    fc.assert(
      fc.property(fc.array(line), (lines) => {
        const events = [...start().lines, ...lines].flatMap((text, index) => readEvents(text, index))

        hasKnownShape(events)
        statesOf(events, EXAMPLE_CONTRACT, 'investigate', lines.at(0))
      }),
    )
  })
})
