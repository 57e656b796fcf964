import { describe, expect } from 'vitest'
import { IS_LONG } from '../helpers/long.ts'
import { test } from '../helpers/world.ts'
import { CAN_FAULT, CHANGES, errnoOf, waysOf, type Operation } from './file-faults.ts'
import { CONCLUDE_MERGE, disturbEach, PUT_BACK, UNDO, type Disturbance } from './passes.ts'

/** What changes nothing fails in one way each; of the others a long run takes every way, a short one a sample. */
function plan(operations: readonly Operation[], every: number): Disturbance[] {
  return operations.flatMap((operation, index) => {
    if (!IS_LONG && index % every !== 0) return []
    const ways = waysOf(operation)
    const chosen = IS_LONG && CHANGES.has(operation.name) ? ways : ways.slice(index % ways.length).slice(0, 1)
    return chosen.map((way) => ({
      name: `${String(index + 1)} ${operation.name} ${operation.path} ${way}`,
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
        const { wrong, operations } = await disturbEach(world, pass, (each) => plan(each, 29))

        expect(operations).toBeGreaterThan(100)
        expect(wrong).toEqual([])
      },
    )
})
