import { describe, expect } from 'vitest'
import { IS_LONG } from '../helpers/long.ts'
import { test } from '../helpers/world.ts'
import {
  CAN_FAULT,
  CHANGES,
  errnoOf,
  faultAt,
  listOperations,
  waysOf,
  type Operation,
} from './file-faults.ts'
import { CONCLUDE_MERGE, disturb, PUT_BACK, stateOfRepo, UNDO } from './passes.ts'

interface Fault {
  readonly operation: string
  readonly fault: string
}

/** What changes nothing fails in one way each; of the others a long run takes every way, a short one a sample. */
function plan(operations: readonly Operation[], every: number): Fault[] {
  return operations.flatMap((operation, index) => {
    if (!IS_LONG && index % every !== 0) return []
    const ways = waysOf(operation)
    const chosen = IS_LONG && CHANGES.has(operation.name) ? ways : ways.slice(index % ways.length).slice(0, 1)
    return chosen.map((way) => ({
      operation: `${String(index + 1)} ${operation.name} ${operation.path} ${way}`,
      fault: `${String(index + 1)}:${errnoOf(way)}`,
    }))
  })
}

describe.skipIf(!CAN_FAULT)('a file operation that fails', () => {
  for (const pass of [PUT_BACK, UNDO, CONCLUDE_MERGE])
    test(
      `while ${pass.name} loses nothing, is told, and the next check finishes`,
      { timeout: 7_200_000 },
      async ({ world }) => {
        let at = await pass.start(world)
        let before = stateOfRepo(at.repo)
        const operations = await listOperations(world, async (preload) => {
          await disturb(at, { pass, before, round: 1, run: { preload } })
        })
        const wrong: string[] = []

        for (const [round, { operation, fault }] of plan(operations, 29).entries()) {
          const found = await disturb(at, {
            pass,
            before,
            round: round + 2,
            run: { preload: faultAt(world, fault) },
          })
          if (found.wrong.length === 0) continue
          wrong.push(`${operation.replace(world.folder, '')}: ${found.wrong.join('; ')}`)
          at = await pass.start(world)
          before = stateOfRepo(at.repo)
        }

        expect(operations.length).toBeGreaterThan(100)
        expect(wrong).toEqual([])
      },
    )
})
