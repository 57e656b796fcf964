import fc from 'fast-check'
import { expect } from 'vitest'
import { test } from '../../helpers/world.ts'
import { play } from './play.ts'
import { sequences } from './sequences.ts'

/**
 * The usual run replays one seed, so that it says the same on every machine. `GSTACK_MODEL_SEQUENCES=5000` with another
 * `GSTACK_MODEL_SEED` looks further; a failure prints the seed.
 */
const runs = Number(process.env['GSTACK_MODEL_SEQUENCES'] ?? 70)
const seed = Number(process.env['GSTACK_MODEL_SEED'] ?? 52)

test(
  `${String(runs)} random sequences keep every promise (seed ${String(seed)})`,
  { timeout: 10_000 * runs + 60_000 },
  async ({ world }) => {
    world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'

    const found = await fc.check(
      fc.asyncProperty(sequences, (sequence) => play(world, sequence)),
      {
        numRuns: runs,
        seed,
        plugins: [fc.unbiased()],
        endOnFailure: process.env['GSTACK_MODEL_SHRINK'] !== '1',
      },
    )

    const told = found.errorInstance instanceof Error ? found.errorInstance.message : ''
    expect(found.failed ? `${told}\nafter ${String(found.numRuns)} sequences` : '').toBe('')
  },
)
