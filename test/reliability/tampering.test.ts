import { readFileSync, rmSync, writeFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armed } from '../helpers/armed.ts'
import { newCallId } from '../helpers/session-records.ts'
import { PACKAGE, test, type World } from '../helpers/world.ts'

const exitOfReport = async (world: World) => (await world.program('gstack-skill-gates', 'report')).exitCode

const inAnHour = (): string => new Date(Date.now() + 3_600_000).toISOString()

/** What a session's tools can do to the state of the gate that holds it. */
const DEEDS = [
  ['its record is deleted', 'rm "$STATE/record.json"'],
  ['its record is emptied', ': > "$STATE/record.json"'],
  ['its record is overwritten', 'echo "{}}" > "$STATE/record.json"'],
  ['its baseline is deleted', 'rm -r "$STATE/roots"'],
  ['a part of its baseline is deleted', 'rm "$STATE"/roots/*/table-*'],
  ['the description of its baseline is deleted', 'rm "$STATE"/roots/*/baseline.json'],
  ['its baseline is overwritten', 'echo nonsense | tee "$STATE"/roots/*/baseline.json'],
  ['its pinned index is overwritten', 'echo nonsense | tee "$STATE"/roots/*/index-*'],
] as const

describe('an armed session whose state is tampered with', () => {
  for (const [deed, script] of DEEDS)
    test(`goes on when ${deed}, and says so in marker and report`, async ({ world }) => {
      const { repo, session } = await armed(world)

      const { post } = await session.bash(
        `STATE='${session.stateFolder}'; ${script}; echo fix >> src/cart.js`,
      )
      const later = await session.check('PreToolUse')

      const codes = [post, later].flatMap(
        (answer) => answer?.markers.map(({ fields }) => fields['code']) ?? [],
      )
      expect([post?.exitCode, later.exitCode]).toEqual([0, 0])
      expect(codes).toContain('GATE_STATE')
      expect(await exitOfReport(world)).toBe(3)
      expect(repo.git('fsck', '--no-dangling')).toBe('')
    })

  test('is held again at once when its lock is deleted', async ({ world }) => {
    const { repo, session } = await armed(world)

    const { post } = await session.bash(`rm -f '${session.stateFolder}/lock'; echo fix >> src/cart.js`)

    expect(post?.decision, post?.stderr).toBe('block')
    expect(repo.status()).toBe('')
  })

  test('is held again from the call after its baseline was deleted', async ({ world }) => {
    const { repo, session } = await armed(world)
    await session.bash(`rm -r '${session.stateFolder}/roots'`)
    await session.check('PreToolUse')
    const before = repo.snapshot()
    repo.append('src/cart.js', 'fix\n')

    const answer = await session.check('PostToolUse')

    expect(answer.decision, answer.stderr).toBe('block')
    expect(answer.reason).toContain('Found late')
    expect(repo.snapshot()).toEqual(before)
  })

  test("keeps raw copies of the user's work when its whole baseline is gone", async ({ world }) => {
    const { repo, session } = await armed(world, 'dirty-start')
    const dirty = repo.read('src/edited.js')

    await session.bash(`rm -r '${session.stateFolder}/roots'; echo fix > src/edited.js`)
    await session.check('PreToolUse')

    const copies = join(session.stateFolder, 'copies')
    const kept = readdirSync(copies).map((name) => readFileSync(join(copies, name), 'utf8'))
    expect(kept).toContain(dirty)
  })
})

describe('the switch', () => {
  test('turned off by a tool call ends the hold with a marker that the person sees', async ({ world }) => {
    await world.program('gstack-config', 'set', 'investigate_gate', 'on')
    Reflect.deleteProperty(world.env, 'GSTACK_INVESTIGATE_GATE')
    const { session } = await armed(world)

    const { post } = await session.bash(
      `${PACKAGE}bin/gstack-config set investigate_gate off; echo fix >> src/cart.js`,
    )

    expect(post?.decision).toBeUndefined()
    expect(post?.markers).toMatchObject([{ event: 'off' }])
    expect(world.log().at(-1)).toContain('event=off')
  })
})

describe('a registration that is removed in the middle of a session', () => {
  test('shows in report: calls that came after the last check', async ({ world }) => {
    const { session } = await armed(world)
    for (const command of ['echo fix >> src/cart.js', 'npm test'])
      session.transcript.toolUse(newCallId(), 'Bash', { command }, { timestamp: inAnHour() })

    const report = await world.program('gstack-skill-gates', 'report')

    expect(report.exitCode).toBe(3)
    expect(report.stdout).toContain('2 calls came after the last check')
  })
})

describe('state of another version, met in the middle of a session', () => {
  const reversion = (file: string) => {
    const text = readFileSync(file, 'utf8')
    writeFileSync(file, text.replace(/"version":\s*\d+/g, '"version": 0'))
  }

  test('in its record: the session is armed anew, said so, and held', async ({ world }) => {
    const { repo, session } = await armed(world)
    reversion(join(session.stateFolder, 'record.json'))

    const met = await session.check('PreToolUse')
    repo.append('src/cart.js', 'fix\n')
    const held = await session.check('PostToolUse')

    expect(met.systemMessage).toContain('another version of this program had armed this session')
    expect(held.decision, held.stderr).toBe('block')
    expect(await exitOfReport(world)).toBe(0)
  })

  test('in its baseline: pinned anew at the next call, said so, and held', async ({ world }) => {
    const { repo, session } = await armed(world)
    const [folder = ''] = readdirSync(join(session.stateFolder, 'roots'))
    reversion(join(session.stateFolder, 'roots', folder, 'baseline.json'))

    const met = await session.check('PreToolUse')
    repo.append('src/cart.js', 'fix\n')
    const held = await session.check('PostToolUse')

    expect(met.systemMessage).toContain('another version of this program had armed this session')
    expect(held.decision, held.stderr).toBe('block')
    expect(world.log().join('\n')).toContain('why=other-version')
  })

  test('in its facts: the transcript is read again, and nothing else changes', async ({ world }) => {
    const { repo, session } = await armed(world)
    await session.check('PreToolUse')
    reversion(join(session.stateFolder, 'facts.json'))
    repo.append('src/cart.js', 'fix\n')

    const held = await session.check('PostToolUse')

    expect(held.decision, held.stderr).toBe('block')
  })

  test('in a mark of a killed pass: its work is finished all the same', async ({ world }) => {
    const { repo, session } = await armed(world)
    const names = readdirSync(repo.path('src')).sort()
    repo.append('src/cart.js', 'fix\n')
    await session.hook('PostToolUse', { run: { killPoint: 'replace-exchanged' } })
    const folder = join(world.stateRoot, 'skill-gates/.in-flight')
    for (const name of readdirSync(folder)) {
      const mark = JSON.parse(readFileSync(join(folder, name), 'utf8')) as Record<string, unknown>
      const temporaries = mark['temporaries'] as { root: string; path: string; tempName: string }[]
      const old = {
        ...mark,
        temporaries: temporaries.map(({ root, path, tempName }) => ({ root, path, tempName })),
      }
      for (const added of ['at', 'call', 'undo', 'late']) Reflect.deleteProperty(old, added)
      rmSync(join(folder, name))
      writeFileSync(join(folder, name), JSON.stringify(old))
    }

    await session.check('PostToolUse')

    expect(readdirSync(repo.path('src')).sort()).toEqual(names)
    expect(repo.status()).toBe('')
  })
})
