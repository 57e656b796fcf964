import { readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { armIn } from '../helpers/armed.ts'
import { IS_LONG } from '../helpers/long.ts'
import { PACKAGE, test, type World } from '../helpers/world.ts'
import type { Session } from '../helpers/session.ts'
import { MILLION_FILES } from './million.ts'

/** Bounds that docs/reliability.md names, in MiB of the hook's largest resident set. */
const BOUNDS =
  /most (\d+) MiB for an armed check of 1,000,000 files, (\d+) MiB for putting back a file of 500 MB and (\d+) MiB where/
const [, MANY = '', LARGE = '', CONVERTED = ''] =
  BOUNDS.exec(readFileSync(`${PACKAGE}docs/reliability.md`, 'utf8').replaceAll(/\s+/g, ' ')) ?? []

/** One check, and how large its process was at most. */
async function peakMiB(session: Session): Promise<{ peak: number; stdout: string }> {
  const answer = await session.hook('PostToolUse', {
    run: { preload: { NODE_OPTIONS: `--require ${PACKAGE}test/reliability/peak.cjs` } },
  })
  return { peak: Number(/peak (\d+)/.exec(answer.stderr)?.[1]) / 1024, stdout: answer.stdout + answer.stderr }
}

async function armPatiently(world: World, script: string) {
  world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'
  return await armIn(world, await world.shellRepo(script))
}

describe('memory', () => {
  test('of a check stays within the bound that the docs name for a small tree, too', async ({ world }) => {
    const { repo, session } = await armPatiently(world, 'new_repo; echo a > src/a.js; save')
    repo.append('src/a.js', 'fix\n')

    const { peak } = await peakMiB(session)

    expect(peak).toBeGreaterThan(20)
    expect(peak).toBeLessThan(Number(MANY))
  })

  test.skipIf(!IS_LONG)(
    'of an armed check of 1,000,000 files stays within the bound',
    { timeout: 3_600_000 },
    async ({ world }) => {
      const { session } = await armPatiently(world, MILLION_FILES)

      const { peak, stdout } = await peakMiB(session)

      expect(peak, stdout).toBeLessThan(Number(MANY))
    },
  )

  test.skipIf(!IS_LONG)(
    'of putting back a file of 500 MB stays within the bound',
    { timeout: 3_600_000 },
    async ({ world }) => {
      const { repo, session } = await armPatiently(
        world,
        'new_repo; head -c 500000000 /dev/urandom > src/big.js; save',
      )
      repo.sh('printf fix >> src/big.js')

      const { peak, stdout } = await peakMiB(session)

      expect(stdout).toContain('src/big.js')
      expect(peak).toBeLessThan(Number(LARGE))
    },
  )

  test.skipIf(!IS_LONG)(
    'of putting back text of 500 MB stays within the bound',
    { timeout: 3_600_000 },
    async ({ world }) => {
      const { repo, session } = await armPatiently(
        world,
        `new_repo; echo '*.js text eol=crlf' > .gitattributes
yes 'const total = price(cart);' | sed 's/$/\\r/' | head -c 500000000 > src/big.js; save`,
      )
      repo.sh('printf fix >> src/big.js')

      const { peak, stdout } = await peakMiB(session)

      expect(stdout).toContain('src/big.js')
      expect(peak).toBeLessThan(Number(CONVERTED))
    },
  )
})
