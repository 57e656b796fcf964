import fc from 'fast-check'
import { expect, test } from 'vitest'
import { boundedMatch } from '../../../src/core/bounded-match.ts'
import { checkRun } from '../../../src/policy/contract/check.ts'
import { readContract } from '../../../src/policy/contract/schema.ts'
import { wordsOfOutput } from '../../../src/policy/contract/specialists.ts'
import { condenseEvents } from '../../../src/transcript/condense.ts'
import {
  agentsBefore,
  findLoads,
  hasKnownShape,
  readRun,
  type SkillLoad,
} from '../../../src/transcript/contract-run.ts'
import type { TranscriptEvent } from '../../../src/transcript/event.ts'
import { lastMessageOf } from '../../../src/transcript/last-message.ts'
import { packEvents, unpackEvents } from '../../../src/transcript/packed-event.ts'
import { DENIED, FAILED, REPORT, story, UNANSWERED, type Story } from '../../helpers/contract-story.ts'

const CONTRACT = {
  version: 1,
  items: [
    { id: 'report', kind: 'report_labels', heading: 'DEBUG REPORT', labels: ['Symptom', 'Fix'] },
    { id: 'test', kind: 'check_after_last_edit' },
    { id: 'specialists', kind: 'selected_specialists_dispatched' },
    { id: 'agent', kind: 'agent_dispatch', match: 'security' },
  ],
}

const words = wordsOfOutput(contract())
const match = boundedMatch(500)

const WAIVER = 'gstack-skill-contract waive test --reason "docs only"'

const OUTPUT = fc
  .array(
    fc.constantFrom(
      'Dispatching 2 specialists: security, data migration.',
      '**Dispatching** 1 specialists: security',
      'Dispa**tching** 1 specialists: performance',
      'Dispatching 0 specialists:',
      '`2 specialists skipped`',
      '<lines> specialists skipped',
      'SKILL_CONTRACT_USAGE investigate: no',
      'x\u2028SKILL_CONTRACT_USAGE no',
      'SKILL_CONTRACT_MET investigate',
      'Async agent launched successfully.',
      'agentId: a1 (internal ID)',
      '12 pass',
      '',
    ),
    { maxLength: 4 },
  )
  .chain((lines) => fc.constantFrom('\n', '\r\n', '\r').map((end) => lines.join(end)))

const piece = fc.oneof(
  OUTPUT.map((result) => (told: Story) => told.bash('npm test', { result })),
  OUTPUT.map((result) => (told: Story) => told.bash(WAIVER, { result })),
  OUTPUT.map((result) => (told: Story) => told.calls('Read', { file_path: 'a.md' }, { result })),
  OUTPUT.map((result) => (told: Story) => told.agent('security', { result })),
  OUTPUT.map((text) => (told: Story) => told.says(text)),
  fc.constantFrom(DENIED, FAILED, UNANSWERED).map((how) => (told: Story) => told.edits('src/a.ts', how)),
  fc.constantFrom(DENIED, FAILED, UNANSWERED).map((how) => (told: Story) => told.bash(WAIVER, how)),
  fc.constantFrom<(told: Story) => Story>(
    (told) => told.edits(),
    (told) => told.says(REPORT),
    (told) => told.says('STATUS: BLOCKED'),
    (told) => told.says('Nothing to review'),
    (told) => told.prompts('Go on.'),
    (told) => told.typed('investigate', 'the login'),
    (told) => told.loads('review'),
    (told) => told.loads('investigate'),
    (told) => told.loads('investigate', FAILED),
    (told) => told.calls('Read', { file_path: '../x/skills/investigate/SKILL.md' }),
    (told) => told.launches('security', 'a1'),
    (told) => told.notices('a1'),
    (told) => told.record({ type: 'attachment', attachment: { type: 'queued_command', prompt: 'x' } }),
    (told) => told.record({ type: 'user', isMeta: true, message: { content: 'Stop hook feedback:\nx' } }),
    (told) => told.record({ type: 'user', message: { content: 7 } }),
  ),
)

const pieces = fc.array(piece, { maxLength: 30 })
const events = fc.tuple(fc.oneof(fc.constant([]), pieces), pieces).map(([before, after]) => {
  const told = before.reduce((session, next) => next(session), story())
  return after.reduce((session, next) => next(session), told.loads('investigate')).events()
})

test('condensed events give the same loads, runs and checks', () => {
  fc.assert(
    fc.property(events, fc.constantFrom(undefined, REPORT, 'Done.'), (all, lastText) => {
      expect(meaningOf(condenseEvents(all, words), lastText)).toEqual(meaningOf(all, lastText))
    }),
    { numRuns: 500 },
  )
})

test('and so does what a file gives back of them', () => {
  fc.assert(
    fc.property(events, fc.constantFrom(undefined, REPORT), (all, lastText) => {
      const condensed = condenseEvents(all, words)
      const saved = JSON.parse(JSON.stringify(packEvents(condensed))) as unknown[]

      expect(unpackEvents(saved)).toEqual(condensed)
      expect(meaningOf(unpackEvents(saved), lastText)).toEqual(meaningOf(all, lastText))
    }),
  )
})

test('condensed again with what came since they are as if all were condensed at once', () => {
  fc.assert(
    fc.property(events, fc.nat(), (all, at) => {
      const cut = at % (all.length + 1)
      const before = condenseEvents(all.slice(0, cut), words)

      expect(condenseEvents([...before, ...all.slice(cut)], words)).toEqual(condenseEvents(all, words))
    }),
  )
})

test('what came before the first skill is left out', () => {
  const before = Array.from({ length: 200 }).reduce<Story>((told) => told.bash('ls'), story())
  const long = before.loads('investigate').edits().says(REPORT).events()

  expect(condenseEvents(long, words).length).toBeLessThan(10)
})

test('what ran before the last edit is left out', () => {
  const before = Array.from({ length: 200 }).reduce<Story>(
    (told) => told.bash('npm test'),
    story().loads('investigate'),
  )
  const long = before.edits().bash('npm run e2e').says(REPORT).events()

  const commands = condenseEvents(long, words).flatMap((event) =>
    event.kind === 'call' ? (event.input['command'] ?? []) : [],
  )
  expect(commands).toEqual(['npm run e2e'])
})

test('output that no check asks for is left out', () => {
  const output = 'src/cart.ts: export function total(items)\n'.repeat(2_000)
  const long = story().loads('investigate').bash('cat src/cart.ts', { result: output }).says(REPORT).events()

  expect(JSON.stringify(condenseEvents(long, words)).length).toBeLessThan(2_000)
})

function contract() {
  const read = readContract(CONTRACT)
  if (read.kind !== 'contract') throw new Error(JSON.stringify(read))
  return read.contract
}

/** All that a stop asks of events. */
function meaningOf(all: readonly TranscriptEvent[], lastText: string | undefined) {
  const loads = findLoads(all)
  const isNewest = ({ skill, key }: SkillLoad) => loads.findLast((load) => load.skill === skill)?.key === key
  return {
    loads: loads.map(({ skill, key, atMs }) => ({ skill, key, atMs })),
    isKnown: hasKnownShape(all),
    lastMessage: lastMessageOf(all),
    lastAtMs: all.findLast(({ atMs }) => atMs !== undefined)?.atMs,
    runs: loads.filter(isNewest).map((load) => {
      const run = readRun(all, load, lastText)
      return {
        check: checkRun(contract(), run, match),
        runningAgents: run.runningAgents,
        before: agentsBefore(all, load),
      }
    }),
  }
}
