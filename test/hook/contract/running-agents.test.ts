import { writeFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { story } from '../../helpers/contract-story.ts'
import { install, recordFile, recordOf, stop } from '../../helpers/contract-world.ts'
import { test } from '../../helpers/world.ts'
import { outcomes } from './runs.ts'

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
