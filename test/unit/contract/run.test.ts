import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { findLoads, hasKnownShape, readRun } from '../../../src/transcript/contract-run.ts'
import { readEvents } from '../../../src/transcript/event.ts'
import { DENIED, EXAMPLE_CONTRACT, FAILED, REPORT, story, type Story } from '../../helpers/contract-story.ts'
import { MET, start, states, statesOf } from './states.ts'

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
