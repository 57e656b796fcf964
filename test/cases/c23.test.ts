import { existsSync, writeFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { armCase } from '../helpers/case.ts'
import { IS_LONG } from '../helpers/long.ts'
import { test, type World } from '../helpers/world.ts'
import { CAN_FAULT, faultAt } from '../reliability/file-faults.ts'

const FOLDERS = IS_LONG ? 2_400 : 40
const SETUP = `
new_repo
for d in $(seq 1 ${String(FOLDERS)}); do
  mkdir -p src/d$d
  for f in $(seq 1 25); do echo "$d $f" > src/d$d/f$f.js; done
done
save
`
const PAD = `${JSON.stringify({ type: 'system', uuid: 'x', content: 'pad '.repeat(12) })}\n`

const exitOfReport = async (world: World) => (await world.program('gstack-skill-gates', 'report')).exitCode

describe('C23: who kills whom', () => {
  test('a transcript over 32 MiB is GATE_TRANSCRIPT well inside the deadline, and is never read whole', async ({
    world,
  }) => {
    const { repo, session } = await armCase(world, 'new_repo; echo a > src/a.js; save')
    repo.append('src/a.js', 'fix\n')
    writeFileSync(session.transcript.file, PAD.repeat(Math.ceil(34_000_000 / PAD.length)))

    const measured = await session.hook('PostToolUse', {
      recorded: false,
      id: 'toolu_big',
      run: { env: { GSTACK_SKILL_GATE_DEADLINE_MS: '20000' } },
    })

    expect(measured).toMatchObject({ exitCode: 0, decision: undefined })
    expect(measured.markers).toMatchObject([{ event: 'error', fields: { code: 'GATE_TRANSCRIPT' } }])
    expect(repo.read('src/a.js')).toBe('a\nfix\n')
  })

  test(
    'a tree too large for the deadline ends in GATE_TIMEOUT of its own, and leaves no lock',
    { timeout: 900_000 },
    async ({ world }) => {
      const { repo, session } = await armCase(world, SETUP)
      repo.sh("find src -name '*.js' | xargs sed -i '$a fix'")
      const run = { env: { GSTACK_SKILL_GATE_DEADLINE_MS: IS_LONG ? '5000' : '200' } }

      const answer = await session.hook('PostToolUse', { run })

      expect(answer).toMatchObject({ exitCode: 0, decision: undefined })
      expect(answer.markers).toMatchObject([{ event: 'error', fields: { code: 'GATE_TIMEOUT' } }])
      expect(answer.ms).toBeLessThan(25_000)
      expect(existsSync(repo.path('.git/index.lock'))).toBe(false)
      expect(await exitOfReport(world)).toBe(3)
    },
  )

  test.skipIf(!CAN_FAULT)('a deadline of 60 seconds acts as 20', { timeout: 60_000 }, async ({ world }) => {
    const { repo, session } = await armCase(world, 'new_repo; echo a > src/a.js; save')
    repo.append('src/a.js', 'fix\n')
    const slow = { GSTACK_SKILL_GATE_DEADLINE_MS: '60000' }

    const answer = await session.hook('PostToolUse', {
      run: { preload: { ...faultAt(world, 'delay:200000'), ...slow } },
    })

    expect(answer.markers).toMatchObject([{ event: 'error', fields: { code: 'GATE_TIMEOUT' } }])
    expect(answer.systemMessage).toContain('20000')
    expect(answer.ms).toBeLessThan(25_000)
  })

  test('every hook that settings prints has a timeout of 25 seconds', async ({ world }) => {
    const { stdout } = await world.program('gstack-skill-gates', 'settings', '--investigate', '--ceo-review')

    const timeouts = [...stdout.matchAll(/"timeout": *(\d+)/g)].map(([, seconds]) => seconds)

    expect(timeouts.length).toBeGreaterThan(4)
    expect(new Set(timeouts)).toEqual(new Set(['25']))
  })
})
