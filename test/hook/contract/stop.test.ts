import { newFactSheet } from '../../../src/store/fact-sheet.ts'
import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, expect } from 'vitest'
import {
  install,
  installText,
  PROGRAM,
  recordFile,
  recordOf,
  stop,
  stopAt,
  transcriptOf,
} from '../../helpers/contract-world.ts'
import { EXAMPLE_CONTRACT, REPORT, story } from '../../helpers/contract-story.ts'
import { test } from '../../helpers/world.ts'

const start = () => story().prompts('The login fails.').loads('investigate')
const unmet = () => start().edits('src/auth.ts').says('Fixed: the null check was missing.')
const blockedRun = () =>
  unmet().record({
    type: 'user',
    isMeta: true,
    message: { role: 'user', content: 'Stop hook feedback:\nSKILL_CONTRACT_UNMET' },
  })

const LINE = `SKILL_CONTRACT_UNMET investigate (contract v1): missing debug-report, repro-after-fix. Fix: debug-report: print the DEBUG REPORT with real values for Symptom, Root cause, Fix, Evidence; repro-after-fix: run the test or repro again after your last edit and show its result. If an item truly does not apply, run '${PROGRAM}' waive <item> --reason "<why>" (this session only; counted as a miss for follow). This blocks once.`

const outcomes = (world: Parameters<typeof recordOf>[0], session?: string) =>
  recordOf(world, session).runs.map(({ skill, outcome }) => `${skill} ${outcome}`)

test('the worked example: blocked once with the exact line, then met_after_block', async ({ world }) => {
  install(world, 'investigate')

  const first = await stop(world, unmet())
  expect(first.json).toEqual({ decision: 'block', reason: LINE })
  expect(recordOf(world).runs).toMatchObject([
    { skill: 'investigate', outcome: 'blocked', missing: ['debug-report', 'repro-after-fix'] },
  ])

  const second = await stop(world, blockedRun().bash('bun test').says(REPORT), {
    payload: { stop_hook_active: true },
  })
  expect(second).toMatchObject({ stdout: '', stderr: '', exitCode: 0 })
  expect(outcomes(world)).toEqual(['investigate met_after_block'])
})

test('a second unmet stop goes through and is a miss', async ({ world }) => {
  install(world, 'investigate')
  await stop(world, unmet())

  const second = await stop(world, blockedRun().says('It is fixed.'), { payload: { stop_hook_active: true } })

  expect(second.stdout).toBe('')
  expect(outcomes(world)).toEqual(['investigate miss'])
})

test('the record is private, and its folder too', async ({ world }) => {
  install(world, 'investigate')

  await stop(world, unmet())

  const mode = (path: string) => (statSync(path).mode & 0o777).toString(8)
  expect([mode(recordFile(world)), mode(dirname(recordFile(world)))]).toEqual(['600', '700'])
})

test('a met run stays met when a later turn of the session edits something else', async ({ world }) => {
  install(world, 'investigate')
  const told = start().edits().bash('bun test').says(REPORT)
  await stop(world, told)

  const later = await stop(world, told.prompts('Now fix the README.').edits('README.md').says('Done.'))

  expect(later.stdout).toBe('')
  expect(outcomes(world)).toEqual(['investigate met'])
})

test('a new load is a run of its own, and may be blocked again', async ({ world }) => {
  install(world, 'investigate')
  await stop(world, unmet())

  const again = await stop(
    world,
    blockedRun().says('No.').prompts('Again.').loads('investigate').edits().says('Fixed.'),
  )

  expect(again.decision).toBe('block')
  expect(outcomes(world)).toEqual(['investigate blocked', 'investigate blocked'])
})

test('the last text is read from the payload when the transcript lacks it still', async ({ world }) => {
  install(world, 'investigate')
  const told = start().edits().bash('bun test')

  const answer = await stop(world, told, { payload: { last_assistant_message: REPORT } })

  expect(answer.stdout).toBe('')
  expect(outcomes(world)).toEqual(['investigate met'])
})

test('earlier blocks of the last message count beside the payload', async ({ world }) => {
  install(world, 'investigate')
  const told = start().edits().bash('bun test').says(REPORT, 'That is all. STATUS: DONE')

  const answer = await stop(world, told)

  expect(answer.stdout).toBe('')
})

test('the newest skill with a contract is the one that counts', async ({ world }) => {
  install(world, 'investigate')
  install(world, 'plain', null)

  const answer = await stop(world, start().edits().loads('plain').loads('not-installed').says('Done.'))

  expect(answer.reason).toContain('SKILL_CONTRACT_UNMET investigate')
})

test('a session without such a skill is left alone and leaves nothing behind', async ({ world }) => {
  install(world, 'plain', null)

  const answers = [
    await stop(world, story().prompts('Hi').says('Hello.')),
    await stop(world, story().loads('plain').edits().says('Done.')),
  ]

  expect(answers.map(({ stdout, stderr }) => stdout + stderr)).toEqual(['', ''])
  expect(() => recordOf(world)).toThrow()
})

test('with the switch off nothing happens', async ({ world }) => {
  install(world, 'investigate')

  const answer = await stop(world, unmet(), { env: { GSTACK_SKILL_CONTRACTS: 'off' } })

  expect(answer).toMatchObject({ stdout: '', stderr: '', exitCode: 0 })
})

describe('only a final turn counts', () => {
  const interactive = { CLAUDE_CODE_ENTRYPOINT: 'cli', CLAUDE_CODE_SESSION_ATTENDED: '1' }

  test('a question to a person is never blocked', async ({ world }) => {
    install(world, 'investigate')

    const answer = await stop(world, start().edits().says('Which database do you use?'), { env: interactive })

    expect(answer.stdout).toBe('')
    expect(world.log('skill-contract').at(-1)).toContain('event=allowed reason=not-final')
  })

  test('the same question where nobody answers is final', async ({ world }) => {
    install(world, 'investigate')

    expect((await stop(world, start().edits().says('Which database do you use?'))).decision).toBe('block')
  })
})

describe('stop_hook_active', () => {
  test('set by another hook: no block and no outcome, checked at the next final stop', async ({ world }) => {
    install(world, 'investigate')

    const continued = await stop(world, unmet(), { payload: { stop_hook_active: true } })
    expect(continued.stdout).toBe('')
    expect(() => recordOf(world)).toThrow()

    expect((await stop(world, unmet())).decision).toBe('block')
  })
})

describe('running agents', () => {
  const review = { version: 1, items: [{ id: 'red-team', kind: 'agent_dispatch', match: 'red team' }] }
  const launched = () =>
    story().prompts('Review.').loads('review').launches('Testing', 'a1').says('STATUS: DONE')

  test('a run waits for agents that the transcript knows as running', async ({ world }) => {
    install(world, 'review', review)

    expect((await stop(world, launched())).stdout).toBe('')
    expect(recordOf(world).runs).toMatchObject([
      { outcome: 'deferred', agents_seen_at: { a1: expect.any(String) as string } },
    ])

    expect((await stop(world, launched().notices('a1').says('STATUS: DONE'))).decision).toBe('block')
  })

  test('a run waits for agents that only the client names', async ({ world }) => {
    install(world, 'review', review)
    const told = story().loads('review').says('STATUS: DONE')
    const task = {
      id: 'a9',
      type: 'subagent',
      status: 'running',
      description: 'x',
      agent_type: 'general-purpose',
    }
    const shell = { ...task, id: 'b1', type: 'shell' }

    await stop(world, told, { payload: { background_tasks: [task] } })
    expect(outcomes(world)).toEqual(['review deferred'])

    expect((await stop(world, told, { payload: { background_tasks: [shell] } })).decision).toBe('block')
  })

  test('agents that run for 10 minutes have stalled, and the contract is checked', async ({ world }) => {
    install(world, 'review', review)
    await stop(world, launched())
    const record = recordOf(world)
    const seen = new Date(Date.now() - 11 * 60_000).toISOString()
    writeFileSync(
      recordFile(world),
      JSON.stringify({
        ...record,
        runs: record.runs.map((run) => ({ ...run, agents_seen_at: { a1: seen } })),
      }),
    )

    expect((await stop(world, launched())).decision).toBe('block')
  })
})

test('another session with the same records that did not go on after that stop is none', async ({
  world,
}) => {
  install(world, 'investigate')
  await stop(world, unmet())

  expect((await stop(world, unmet(), { session: 's2' })).decision).toBe('block')
})

test('a forked session knows what became of the run that it copied', async ({ world }) => {
  install(world, 'investigate')
  const told = start().edits().bash('bun test').says(REPORT)
  await stop(world, told)
  const record = recordOf(world)
  const beforeTheFork = '2026-11-20T10:00:10.000Z'
  const runs = record.runs.map((run) => ({ ...run, recorded_at: beforeTheFork }))
  writeFileSync(recordFile(world), JSON.stringify({ ...record, runs }))

  const fork = await stop(world, told.prompts('Now the README.').edits('README.md').says('Done.'), {
    session: 's2',
  })

  expect(fork.stdout).toBe('')
})

describe('fail open', () => {
  const failure = (path: string, cause: string) =>
    `gstack-skill-contract: SKILL_CONTRACT_STATE_ERROR ${path}: ${cause}; stop allowed, miss not recorded (see docs/skill-routing-and-contracts.md#state-error)\n`

  test('a missing transcript', async ({ world }) => {
    install(world, 'investigate')

    const answer = await stopAt(world, '/nowhere/s1.jsonl')

    expect(answer).toMatchObject({
      stdout: '',
      exitCode: 0,
      stderr: failure('/nowhere/s1.jsonl', 'the transcript is missing'),
    })
  })

  test('a transcript over 32 MiB, or one that is no file', async ({ world }) => {
    const file = transcriptOf(world, 'x'.repeat(32 * 1024 * 1024 + 1))

    expect((await stopAt(world, file)).stderr).toBe(failure(file, 'the transcript is over 32 MiB'))
    expect((await stopAt(world, world.home)).stderr).toBe(
      failure(world.home, 'the transcript is not a regular file'),
    )
  })

  test('an unknown shape, which the canary counts', async ({ world }) => {
    const file = transcriptOf(world, '{"type":"user","message":{"content":7}}\n')

    await stopAt(world, file)
    const { stderr } = await stopAt(world, file)

    expect(stderr).toBe(failure(file, 'it is no transcript of a known shape'))
    const canary = readFileSync(join(world.stateRoot, 'hooks/skill-contract.canary.json'), 'utf8')
    expect(JSON.parse(canary)).toMatchObject({ count: 2 })
  })

  test('a corrupt record, which stays as it is', async ({ world }) => {
    install(world, 'investigate')
    mkdirSync(dirname(recordFile(world)), { recursive: true })
    writeFileSync(recordFile(world), '{"version":1,"runs":[{}]}')

    const answer = await stop(world, unmet())

    expect(answer).toMatchObject({
      stdout: '',
      stderr: failure(recordFile(world), 'it is not a session record'),
    })
    expect(readFileSync(recordFile(world), 'utf8')).toBe('{"version":1,"runs":[{}]}')
  })

  test('a record that cannot be written: no block', async ({ world }) => {
    install(world, 'investigate')
    writeFileSync(join(world.stateRoot, 'skill-contracts'), '')

    const answer = await stop(world, unmet())

    expect(answer.stdout).toBe('')
    expect(answer.stderr).toMatch(
      /^gstack-skill-contract: SKILL_CONTRACT_STATE_ERROR .*skill-contracts.*; stop allowed/,
    )
  })

  test('a state root that is not writable', async ({ world }) => {
    install(world, 'investigate')
    const transcript = transcriptOf(world, unmet())

    const answer = await stopAt(world, transcript, { env: { GSTACK_STATE_ROOT: '/proc/nowhere' } })

    expect(answer.stdout).toBe('')
    expect(answer.stderr).toMatch(/SKILL_CONTRACT_STATE_ERROR \/proc\/nowhere/)
  })

  test('an invalid contract names its file, field and problem', async ({ world }) => {
    const file = install(world, 'investigate', { version: 2, items: EXAMPLE_CONTRACT.items })

    const { stdout, stderr } = await stop(world, unmet())

    expect(stdout).toBe('')
    expect(stderr).toBe(failure(file, 'contract.version: 2 is not supported, only 1 is'))
  })

  test('a broken SKILL.md of another skill hides no contract', async ({ world }) => {
    install(world, 'investigate')
    installText(world, 'broken', '---\nname: broken\ntriggers: [a\n---\n')
    installText(world, 'binary', Buffer.from([0, 159, 146, 150]))

    const answer = await stop(world, start().edits().loads('broken').says('Done.'))

    expect(answer.decision).toBe('block')
  })

  test('a pattern that would run for years', async ({ world }) => {
    install(world, 'investigate', {
      version: 1,
      items: [{ id: 'a', kind: 'agent_dispatch', match: '(a+)+$' }],
    })

    const answer = await stop(
      world,
      start()
        .agent(`${'a'.repeat(60)}!`)
        .says('Done.'),
    )

    expect(answer.stdout).toBe('')
    expect(answer.stderr).toContain('took over')
    expect(answer.ms).toBeLessThan(5_000)
  })

  test.each([
    ['no JSON', '{'],
    ['no session', '{}'],
    ['an unsafe session', '{"session_id":"../x","transcript_path":"/x"}'],
  ])('hook input with %s', async (_, input) => {
    const { runContractHook } = await import('../../../src/hook/contract.ts')
    const payload = input === '{' ? {} : (JSON.parse(input) as Record<string, unknown>)

    const answer = await runContractHook({
      payload,
      env: { GSTACK_STATE_ROOT: '/proc/nowhere' },
      home: '/nowhere',
      now: new Date(),
      deadline: { totalMs: 1, remaining: () => 1, check: () => undefined },
      packageRoot: '/opt/gstack',
      sheet: newFactSheet('/proc/nowhere'),
    })

    expect(answer.stdout).toBeUndefined()
    expect(answer.stderr).toContain('hook input: session_id is missing or no safe file name')
  })
})

test('a deadline that has passed fails open', async ({ world }) => {
  install(world, 'investigate')

  const { stdout, stderr } = await stop(world, unmet(), { env: { GSTACK_SKILL_GATE_DEADLINE_MS: '1' } })

  expect(stdout).toBe('')
  expect(stderr).toMatch(/no time left for .*; stop allowed/)
})

test('each decision is one line in the log', async ({ world }) => {
  install(world, 'investigate')
  await stop(world, unmet())

  await stop(world, blockedRun().bash('bun test').says(REPORT), { payload: { stop_hook_active: true } })

  const lines = world.log('skill-contract').map((line) => line.replace(/^\S+ /, ''))
  expect(lines).toEqual([
    'session=s1 event=blocked skill=investigate missing=debug-report,repro-after-fix',
    'session=s1 event=met_after_block skill=investigate',
  ])
})

test('a subagent that stops is not held', async ({ world }) => {
  install(world, 'investigate')

  const answer = await stop(world, unmet(), { payload: { agent_id: 'a1' } })

  expect(answer).toMatchObject({ stdout: '', stderr: '' })
})

describe('a long session', () => {
  const OUTPUT = 'src/cart.ts: export function total(items)\n'.repeat(4_000)
  const longRun = () => start().bash('cat src/cart.ts', { result: OUTPUT }).edits().says('Fixed.')
  const goesOn = () =>
    longRun().record({
      type: 'user',
      isMeta: true,
      message: { role: 'user', content: 'Stop hook feedback:\nSKILL_CONTRACT_UNMET' },
    })
  const readingOf = (world: Parameters<typeof recordOf>[0]) =>
    join(world.stateRoot, 'skill-contracts/.readings/s1.json')

  test('is read on from where the last stop left it', async ({ world }) => {
    install(world, 'investigate')
    expect((await stop(world, longRun())).stdout).toContain('SKILL_CONTRACT_UNMET')
    const told = goesOn().says(REPORT)
    const file = transcriptOf(world, told)
    // Whoever read it from the start would find no edit, and nothing to test.
    writeFileSync(file, readFileSync(file, 'utf8').replace('"name":"Edit"', '"name":"Glob"'))

    await stopAt(world, file, { payload: { last_assistant_message: REPORT, stop_hook_active: true } })

    expect(recordOf(world).runs).toMatchObject([{ outcome: 'miss', missing: ['repro-after-fix'] }])
  })

  test('is kept without what no contract asks, and for nobody else to read', async ({ world }) => {
    install(world, 'investigate')
    await stop(world, longRun())

    const { size, mode } = statSync(readingOf(world))

    expect(size).toBeLessThan(OUTPUT.length / 20)
    expect((mode & 0o777).toString(8)).toBe('600')
  })

  test.for<[string, (text: string) => string]>([
    ['damaged', (text) => text.slice(0, -20)],
    ['of another version', (text) => text.replace('"version":1', '"version":0')],
    ['of another file', (text) => text.replace(/"inode":\d+/, '"inode":1')],
    ['no object', () => 'null'],
  ])('a reading that is %s is read again', async ([, damage], { world }) => {
    install(world, 'investigate')
    await stop(world, longRun())
    writeFileSync(readingOf(world), damage(readFileSync(readingOf(world), 'utf8')))

    const second = await stop(world, goesOn().bash('bun test').says(REPORT))

    expect(second).toMatchObject({ stdout: '', stderr: '', exitCode: 0 })
    expect(outcomes(world)).toEqual(['investigate met_after_block'])
  })

  test('a contract that looks for other words finds them in what was read before', async ({ world }) => {
    const selects = (marker?: string) => ({
      version: 1,
      items: [
        {
          id: 'it',
          kind: 'selected_specialists_dispatched',
          ...(marker === undefined ? {} : { marker }),
        },
      ],
    })
    install(world, 'investigate', selects())
    const told = () =>
      start()
        .bash('./select', { result: `${OUTPUT}Chosen 0 reviewers:` })
        .says('Done.')
    expect((await stop(world, told())).stdout).toContain('SKILL_CONTRACT_UNMET')
    install(world, 'investigate', selects('Chosen N reviewers:'))

    await stop(world, told().prompts('Go on.').says('Done.'))

    expect(outcomes(world)).toEqual(['investigate met_after_block'])
  })
})
