import fc from 'fast-check'
import { expect } from 'vitest'
import { test } from '../../helpers/world.ts'
import { makeTemplate, play } from './play.ts'
import { sequences, type Sequence } from './sequences.ts'

const FILES = 2
const SEQUENCES = 300
const SEED = 71
const SHRINKS = process.env['GSTACK_MODEL_SHRINK'] === '1'

/** Makes a check load everything that one needs. */
const LOADING: Sequence = {
  setup: [],
  rounds: [{ acts: ["sed -i '2s/.*/x/' src/a.js; git commit -qam x"], event: 'PostToolUse' }],
}

/**
 * The usual run replays fixed seeds, so that it says the same on every machine. `GSTACK_MODEL_SEQUENCES=5000` with another
 * `GSTACK_MODEL_SEED` looks further and names all that it finds; `GSTACK_MODEL_SHRINK=1` stops at the first and shortens it.
 *
 * @param share which of the test files this is, from 0: each plays a part of the sequences, with a seed of its own
 */
export function testSequences(share: number): void {
  const runs = Math.ceil(Number(process.env['GSTACK_MODEL_SEQUENCES'] ?? SEQUENCES) / FILES)
  const seed = Number(process.env['GSTACK_MODEL_SEED'] ?? SEED) + share

  test(
    `${String(runs)} random sequences keep every promise (seed ${String(seed)})`,
    { timeout: 10_000 * runs + 60_000 },
    async ({ world }) => {
      world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'
      const template = makeTemplate(world)
      // Transforming the sources may take a slow machine longer than a check has; the sequences below fail for real.
      await play(world, template, LOADING).catch(() => undefined)

      const failures: string[] = []
      const found = await fc.check(
        fc.asyncProperty(sequences, async (sequence) => {
          try {
            await play(world, template, sequence)
          } catch (error) {
            failures.push(error instanceof Error ? error.message : String(error))
            if (SHRINKS) throw error
          }
        }),
        { numRuns: runs, seed, plugins: [fc.unbiased()] },
      )

      const shortest = found.errorInstance instanceof Error ? [found.errorInstance.message] : []
      expect(SHRINKS ? shortest : failures).toEqual([])
    },
  )
}
