import { expect, test } from 'vitest'
import { boundedMatch } from '../../../src/core/bounded-match.ts'
import type { Contract, ContractOutcome } from '../../../src/core/contract.ts'
import { checkRun, fixOf, type RunCheck } from '../../../src/policy/contract/check.ts'
import { decideStop, unmetLine, type StopFacts } from '../../../src/policy/contract/decide.ts'
import { findLoads, hasKnownShape, readRun } from '../../../src/transcript/contract-run.ts'
import { EXAMPLE_CONTRACT, REPORT, story, UNANSWERED, type Story } from '../../helpers/contract-story.ts'

const NOW = new Date('2026-11-20T10:20:00Z')
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000).toISOString()

const start = () => story().prompts('The login fails.').loads('investigate')
const met = () => start().edits().bash('bun test').says(REPORT)
const unmet = () => start().edits().says('Fixed.')
const waived = () => unmet().bash('gstack-skill-contract waive repro-after-fix --reason "docs"').says(REPORT)

function checkOf(told: Story, contract: Contract = EXAMPLE_CONTRACT): RunCheck {
  const events = told.events()
  return checkRun(contract, readRun(events, findLoads(events)[0]!), boundedMatch(200))
}

const decide = (told: Story, facts: Partial<StopFacts> = {}) =>
  decideStop({
    recorded: undefined,
    runningAgents: [],
    stopHookActive: false,
    now: NOW,
    check: () => checkOf(told),
    ...facts,
  })
const recorded = (outcome: ContractOutcome, blocked_at?: string) => ({
  outcome,
  ...(blocked_at === undefined ? {} : { blocked_at }),
})

test('an unmet run is blocked once; the next stop records what became of it', () => {
  const blocked = recorded('blocked', minutesAgo(1))

  expect(decide(unmet()).kind).toBe('block')
  expect(decide(unmet(), { recorded: blocked, stopHookActive: true })).toMatchObject({
    outcome: 'miss',
    missing: ['debug-report', 'repro-after-fix'],
  })
  expect(decide(unmet(), { recorded: blocked })).toMatchObject({ outcome: 'miss' })
  expect(decide(met(), { recorded: blocked, stopHookActive: true })).toMatchObject({
    outcome: 'met_after_block',
  })
  expect(decide(waived(), { recorded: blocked })).toMatchObject({
    outcome: 'met_waived',
    waived: ['repro-after-fix'],
  })
})

test('a run that is met at once is recorded without a block', () => {
  expect(decide(met())).toMatchObject({ kind: 'record', outcome: 'met' })
  expect(decide(waived())).toMatchObject({ kind: 'record', outcome: 'met_waived' })
})

test.each<ContractOutcome>(['met', 'met_waived', 'met_after_block', 'miss'])(
  '%s stays, whatever comes later',
  (outcome) => {
    expect(decide(unmet(), { recorded: recorded(outcome, minutesAgo(1)) })).toEqual({
      kind: 'leave',
      because: 'settled',
    })
  },
)

test('a turn that another hook continued is neither blocked nor recorded', () => {
  const left = { kind: 'leave', because: 'continued-by-another-hook' }

  expect(decide(unmet(), { stopHookActive: true })).toEqual(left)
  expect(decide(met(), { stopHookActive: true, recorded: recorded('deferred') })).toEqual(left)
})

test('a run whose agents are running is deferred, and checked when they have ended', () => {
  expect(decide(unmet(), { runningAgents: ['a1'] })).toEqual({
    kind: 'record',
    outcome: 'deferred',
    missing: [],
    waived: [],
    agentsSeenAt: { a1: NOW.toISOString() },
  })
  expect(decide(unmet(), { recorded: recorded('deferred') }).kind).toBe('block')
})

test('an agent that runs for 10 minutes since the stop that first saw it has stalled', () => {
  const seen = (minutes: number) => ({ ...recorded('deferred'), agents_seen_at: { a1: minutesAgo(minutes) } })

  expect(decide(unmet(), { runningAgents: ['a1'], recorded: seen(9) })).toMatchObject({
    outcome: 'deferred',
    agentsSeenAt: { a1: minutesAgo(9) },
  })
  expect(decide(unmet(), { runningAgents: ['a1'], recorded: seen(10) }).kind).toBe('block')
  expect(decide(unmet(), { runningAgents: ['a1', 'a2'], recorded: seen(10) })).toMatchObject({
    outcome: 'deferred',
  })
})

test('a deferral after a block does not block a second time', () => {
  const deferred = { ...recorded('deferred', minutesAgo(20)), agents_seen_at: { a1: minutesAgo(15) } }

  expect(decide(unmet(), { recorded: deferred, runningAgents: ['a1'] })).toMatchObject({ outcome: 'miss' })
})

test('the line of the docs, to the letter', () => {
  const check = checkOf(start().edits('src/auth.ts').says('Fixed: the null check was missing.'))

  expect(unmetLine(check, '/opt/gstack/bin/gstack-skill-contract')).toBe(
    'SKILL_CONTRACT_UNMET investigate (contract v1): missing debug-report, repro-after-fix. Fix: debug-report: print the DEBUG REPORT with real values for Symptom, Root cause, Fix, Evidence; repro-after-fix: run the test or repro again after your last edit and show its result. If an item truly does not apply, run \'/opt/gstack/bin/gstack-skill-contract\' waive <item> --reason "<why>" (this session only; counted as a miss for follow). This blocks once.',
  )
})

test('a fix of the skill takes the place of the kind, in one line', () => {
  expect(fixOf({ id: 'a', kind: 'check_after_last_edit', fix: 'run\n  just verify.' })).toBe(
    'run just verify',
  )
})

test('a path with a quote stays one word for a shell', () => {
  expect(unmetLine(checkOf(unmet()), "/it's/gstack-skill-contract")).toContain(
    "run '/it'\\''s/gstack-skill-contract' waive",
  )
})

const running = (told: Story) => {
  const events = told.events()
  return readRun(events, findLoads(events)[0]!).runningAgents
}

test('a dispatch runs until it has a result, in the background until a notice names it', () => {
  expect(running(start().agent('Testing', UNANSWERED))).toEqual(['toolu_2'])
  expect(running(start().agent('Testing'))).toEqual([])
  expect(running(start().launches('Testing', 'a1'))).toEqual(['a1'])
  expect(running(start().launches('Testing', 'a1').notices('a2'))).toEqual(['a1'])
  expect(running(start().launches('Testing', 'a1').notices('a1'))).toEqual([])
})

test('a notice that comes in the middle of a turn counts too', () => {
  const notice =
    '<task-notification>\n<task-id>a1</task-id>\n<status>completed</status>\n</task-notification>'
  const launched = () => start().launches('Testing', 'a1')

  expect(
    running(launched().record({ type: 'queue-operation', operation: 'enqueue', content: notice })),
  ).toEqual([])
  expect(
    running(
      launched().record({ type: 'attachment', attachment: { type: 'queued_command', prompt: notice } }),
    ),
  ).toEqual([])
  expect(running(launched().bash('cat notes', { result: notice }))).toEqual(['a1'])
})

test('a transcript without turns, or with a message that is neither text nor blocks, has an unknown shape', () => {
  const isKnown = (told: Story) => hasKnownShape(told.events())

  expect(isKnown(story().record({ type: 'system' }))).toBe(false)
  expect(isKnown(start().record({ type: 'user', message: { content: 7 } }))).toBe(false)
  expect(isKnown(start().record({ type: 'assistant', message: { content: { text: 'x' } } }))).toBe(false)
  expect(isKnown(start().record({ type: 'new-kind', message: 7 }))).toBe(true)
})

test('a torn line does not make the shape unknown', () => {
  const told = start()
  told.lines.push('{"type":"assistant","mess')

  expect(hasKnownShape(told.events())).toBe(true)
})
