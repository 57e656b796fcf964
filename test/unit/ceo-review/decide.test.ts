import { describe, expect, test } from 'vitest'
import { NO_GATE_RECORD, type GateRecord } from '../../../src/core/record.ts'
import { decideSkip, decideStop, type Load } from '../../../src/policy/ceo-review/decide.ts'

const load: Load = { key: 'toolu_1', agent: undefined }
const unmet = { event: 'Stop', metBy: undefined, checked: 2, at: '2026-08-21T10:00:00.000Z' }
const met = { ...unmet, metBy: 'plan.md' }

const events = (markings: readonly { event: string }[]) => markings.map(({ event }) => event)
const stopTimes = (gate: GateRecord, times: number): GateRecord =>
  times === 0 ? gate : stopTimes(decideStop(gate, load, unmet).gate, times - 1)

describe('the first final stop', () => {
  test('fires and blocks', () => {
    const { gate, markings } = decideStop(NO_GATE_RECORD, load, unmet)

    expect(events(markings)).toEqual(['fired', 'blocked'])
    expect(gate.runs).toEqual([
      { skill: 'plan-ceo-review', loads: ['toolu_1'], fired_at: unmet.at, blocked: 1, observed: 0 },
    ])
  })

  test('fires and releases when a file meets it', () => {
    const { gate, markings } = decideStop(NO_GATE_RECORD, load, met)

    expect(events(markings)).toEqual(['fired', 'released'])
    expect(gate.runs).toMatchObject([{ blocked: 0, released_at: met.at, file: 'plan.md' }])
  })
})

test('the fourth stop after three blocks goes through, and the fifth decides nothing', () => {
  const afterThree = stopTimes(NO_GATE_RECORD, 3)

  const fourth = decideStop(afterThree, load, unmet)
  const fifth = decideStop(fourth.gate, load, met)

  expect(fourth.markings).toEqual([
    {
      event: 'exhausted',
      fields: [
        ['skill', 'plan-ceo-review'],
        ['blocked', 3],
      ],
    },
  ])
  expect(fifth).toEqual({ gate: fourth.gate, markings: [] })
})

test('a run is released also after three blocks', () => {
  expect(events(decideStop(stopTimes(NO_GATE_RECORD, 3), load, met).markings)).toEqual(['released'])
})

test('a run that ended because the switch went off is not held again', () => {
  const [run] = decideStop(NO_GATE_RECORD, load, unmet).gate.runs
  const gate = { ...NO_GATE_RECORD, runs: run === undefined ? [] : [{ ...run, switched_off_at: unmet.at }] }

  expect(decideStop(gate, load, unmet).markings).toEqual([])
})

test.each([
  ['another load', { key: 'toolu_2', agent: undefined }],
  ['the same load of a subagent', { key: 'toolu_1', agent: 'ag1' }],
])('%s is a run of its own', (_, other) => {
  const { gate, markings } = decideStop(stopTimes(NO_GATE_RECORD, 2), other, unmet)

  expect(events(markings)).toEqual(['fired', 'blocked'])
  expect(gate.runs.map(({ blocked, agent }) => [blocked, agent])).toEqual([
    [2, undefined],
    [1, other.agent],
  ])
})

test('a skip counts once per reason and holds no run', () => {
  const first = decideSkip(NO_GATE_RECORD, 'not-owner', unmet.at)

  expect(events(first.markings)).toEqual(['skipped'])
  expect(first.gate.runs).toEqual([])
  expect(decideSkip(first.gate, 'not-owner', unmet.at)).toEqual({ gate: first.gate, markings: [] })
  expect(events(decideSkip(first.gate, 'unsupported-format', unmet.at).markings)).toEqual(['skipped'])
})
