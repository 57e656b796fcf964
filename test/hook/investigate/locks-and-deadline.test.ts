import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished } from 'vitest'
import { armed } from '../../helpers/armed.ts'
import type { Repo } from '../../helpers/repo.ts'
import { copiesIn } from '../../helpers/standard.ts'
import { test } from '../../helpers/world.ts'

/** Another program that holds a lock, until the test ends or for so long. */
async function holdLock(path: string, seconds = 60): Promise<void> {
  const script = `exec flock "$1" sh -c 'echo held; exec sleep ${String(seconds)}'`
  const holder = spawn('sh', ['-c', script, 'sh', path], {
    stdio: ['ignore', 'pipe', 'ignore'],
    detached: true,
  })
  onTestFinished(() => {
    if (holder.pid !== undefined && holder.exitCode === null) process.kill(-holder.pid, 'SIGKILL')
  })
  await once(holder.stdout, 'data')
}

const changeAll = (repo: Repo) => repo.sh("find src -type f | xargs sed -i '$a fix'")

describe('eight hooks at once on one session', () => {
  test('put a file back once, answer whole JSON, and lose no count', async ({ world }) => {
    const { repo, session } = await armed(world)
    const fixed = `${repo.read('src/cart.js')}fix\n`
    repo.write('src/cart.js', fixed)
    session.transcript.toolUse('toolu_shared', 'Bash', { command: ':' })

    const answers = await Promise.all(
      Array.from({ length: 8 }, () => session.hook('PostToolUse', { id: 'toolu_shared', recorded: false })),
    )

    const blocks = answers.filter(({ decision }) => decision === 'block')
    const record = JSON.parse(readFileSync(join(session.stateFolder, 'record.json'), 'utf8')) as {
      gates: Record<string, { runs: { blocked: number }[]; errors: unknown[] }>
    }
    expect(answers.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(Array(8).fill([0, '']))
    expect(blocks).toHaveLength(1)
    expect(readFileSync(copiesIn(blocks[0]?.reason ?? '', session)[0] ?? '', 'utf8')).toBe(fixed)
    expect(repo.status()).toBe('')
    expect(record.gates['investigate-gate']).toMatchObject({ runs: [{ blocked: 1 }], errors: [] })
  })

  test('that arm at the same moment arm once', async ({ world }) => {
    world.repo('plain')
    const session = world.session().loads('investigate')

    const answers = await Promise.all(
      Array.from({ length: 8 }, () => session.hook('PreToolUse', { recorded: false })),
    )

    expect(answers.flatMap(({ markers }) => markers.map(({ event }) => event))).toEqual(['fired'])
  })
})

describe('a lock that stays held', () => {
  test('of the repository ends in GATE_LOCKED after three seconds, and nothing is done unlocked', async ({
    world,
  }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    const acted = repo.snapshot()
    await holdLock(repo.path('.git'))

    const answer = await session.check('PostToolUse')

    expect(answer).toMatchObject({ exitCode: 0, decision: undefined })
    expect(answer.stderr).toContain('GATE_LOCKED')
    expect(answer.ms).toBeGreaterThan(2_900)
    expect(answer.ms).toBeLessThan(5_500)
    expect(repo.snapshot()).toEqual(acted)
  })

  test('of the session ends in GATE_LOCKED', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    await holdLock(join(session.stateFolder, 'lock'))

    const answer = await session.check('PostToolUse')

    expect(answer).toMatchObject({ exitCode: 0, decision: undefined })
    expect(answer.stderr).toContain('GATE_LOCKED')
  })

  test('of the session for over 30 seconds is taken over', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    const lock = join(session.stateFolder, 'lock')
    await holdLock(lock)
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
    const takenAtMs = Number(process.hrtime.bigint() / 1_000_000n) - 31_000
    writeFileSync(lock, JSON.stringify({ takenAtMs, boot }))

    const answer = await session.check('PostToolUse')

    expect(answer.decision, answer.stderr).toBe('block')
  })

  test('of another repository holds nobody up', async ({ world }) => {
    const { repo, session } = await armed(world)
    await holdLock(world.repo('plain').path('.git'))
    repo.append('src/cart.js', 'fix\n')

    const answer = await session.check('PostToolUse')

    expect(answer.decision).toBe('block')
  })

  test('for a moment only delays the check', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    await holdLock(repo.path('.git'), 0.7)

    const answer = await session.check('PostToolUse')

    expect(answer.decision).toBe('block')
  })
})

describe('a deadline', () => {
  test('of 1 ms fails open with GATE_TIMEOUT, and the next check heals', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '1'

    const late = await session.check('PostToolUse')
    world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '5000'
    const next = await session.check('PostToolUse')

    expect(late).toMatchObject({ exitCode: 0, decision: undefined })
    expect(late.markers).toMatchObject([{ event: 'error', fields: { code: 'GATE_TIMEOUT' } }])
    expect(next.decision).toBe('block')
    expect(repo.status()).toBe('')
  })

  test(
    'of 60 ms on 3,000 changed files fails open, loses nothing, and the next checks heal',
    { timeout: 120_000 },
    async ({ world }) => {
      const { repo, session } = await armed(world, 'large')
      changeAll(repo)
      world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '60'

      const late = await session.check('PostToolUse')
      const unhealed = repo.status()
      world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '20000'
      const next = await session.check('PostToolUse')

      expect(late).toMatchObject({ exitCode: 0, decision: undefined })
      expect(late.stderr).toContain('GATE_TIMEOUT')
      expect(unhealed).not.toBe('')
      expect(next.decision).toBe('block')
      expect(repo.status()).toBe('')
    },
  )

  test(
    'is kept by the check that finishes a killed one of 3,000 files',
    { timeout: 120_000 },
    async ({ world }) => {
      const { repo, session } = await armed(world, 'large')
      changeAll(repo)
      const kept = join(session.stateFolder, 'kept')
      const isFarOn = () => existsSync(kept) && readdirSync(kept).length > 2_000
      const killed = await session.hook('PostToolUse', { run: { killOnce: isFarOn } })
      expect(killed.exitCode).toBeUndefined()

      const next = await session.check('PostToolUse')

      expect(next.stderr).not.toContain('GATE_TIMEOUT')
      expect(next.decision).toBe('block')
      expect(repo.status()).toBe('')
    },
  )

  test(
    'of the default heals 3,000 changed files, on a busy machine check by check',
    { timeout: 120_000 },
    async ({ world }) => {
      const { repo, session } = await armed(world, 'large')
      changeAll(repo)
      const left = [3_000]

      while (left.at(-1) !== 0 && left.length < 8) {
        await session.check('PostToolUse')
        left.push(
          repo
            .status()
            .split('\n')
            .filter((line) => line !== '').length,
        )
      }

      expect(left.at(-1), left.join(' ')).toBe(0)
    },
  )

  test('that ran out counts as unchecked, and the next block says that it found the change late', async ({
    world,
  }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '1'
    await session.check('PostToolUse')
    world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '5000'

    const next = await session.check('PostToolUse')
    const report = await world.program('gstack-skill-gates', 'report', '--json', '--session', session.id)

    expect(next.reason).toMatch(/late/i)
    expect(report.exitCode).toBe(3)
    expect(JSON.parse(report.stdout)).toMatchObject({
      sessions: [{ gates: { 'investigate-gate': { unchecked: 1, errors: 1 } } }],
    })
  })

  test('that runs out twice while arming is one skipped marker until the next load', async ({ world }) => {
    world.repo('large')
    const session = world.session().loads('investigate')
    world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '1'
    await session.arm()
    await session.arm()
    world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = '5000'

    const third = await session.arm()
    const reloaded = await session.loads('investigate').arm()

    expect(third.decision).toBeUndefined()
    expect(world.log().filter((line) => line.includes('reason=too-large'))).toHaveLength(1)
    expect(reloaded.markers).toMatchObject([{ event: 'fired' }])
  })

  for (const value of ['0', '-5', 'soon', '']) {
    test(`of ${JSON.stringify(value)} is the default`, async ({ world }) => {
      world.env['GSTACK_SKILL_GATE_DEADLINE_MS'] = value
      const { repo, session } = await armed(world)
      repo.append('src/cart.js', 'fix\n')

      expect((await session.check('PostToolUse')).decision).toBe('block')
    })
  }
})
