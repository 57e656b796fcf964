import { existsSync, readdirSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { armed, armIn } from '../../helpers/armed.ts'
import { IS_LONG } from '../../helpers/long.ts'
import { test, type World } from '../../helpers/world.ts'

const KILLS = IS_LONG ? 200 : 8

const errorsOf = async (world: World, session: string) => {
  const report = await world.program('gstack-skill-gates', 'report', '--json', '--session', session)
  const { sessions } = JSON.parse(report.stdout) as {
    sessions: { gates: Record<string, { errors: number; unchecked: number }> }[]
  }
  return { exitCode: report.exitCode, ...sessions[0]?.gates['investigate-gate'] }
}

describe('a hook killed', () => {
  for (let run = 0; run < KILLS; run += 1) {
    const killAfterMs = 60 + Math.round((run * 440) / KILLS)
    test(`after ${String(killAfterMs)} ms of a check leaves nothing broken, and the next check finishes (${String(run)})`, async ({
      world,
    }) => {
      const { repo, session } = await armed(world, 'partially-staged')
      const before = repo.snapshot()
      repo.sh(
        "sed -i '6s/.*/fix/' src/list.js; git add src/list.js; echo fix > src/clean.js; echo fix >> src/kept.js",
      )
      const fixed = ['src/list.js', 'src/clean.js', 'src/kept.js'].map((file) => repo.read(file))

      const killed = await session.hook('PostToolUse', { run: { killAfterMs } })
      await session.check('PostToolUse')

      const kept = await world.run('find', [session.stateFolder, '-type', 'f'])
      const contents = await world.run('cat', kept.stdout.trim().split('\n'))
      expect(repo.snapshot()).toEqual(before)
      expect(repo.git('fsck', '--no-dangling')).toBe('')
      if (killed.exitCode === undefined) for (const text of fixed) expect(contents.stdout).toContain(text)
      expect(existsSync(repo.path('.git/index.lock'))).toBe(false)
      expect((await session.check('PreToolUse')).decision).toBeUndefined()
    })
  }

  test('while arming arms at the next call', async ({ world }) => {
    const repo = world.repo('dirty-start')
    for (const killAfterMs of [80, 140, 200, 260]) {
      const session = world.session().loads('investigate')
      await session.hook('PreToolUse', { run: { killAfterMs } })

      await session.arm()
      repo.append('src/edited.js', 'fix\n')
      const answer = await session.check('PostToolUse')

      expect(answer.decision, `${String(killAfterMs)} ms: ${answer.stderr}`).toBe('block')
      expect(repo.read('src/edited.js')).toBe('one\nuser line')
    }
  })

  test('in the middle of its work shows as GATE_KILLED in the next hook and in report', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    const killed = await session.hook('PostToolUse', { run: { killPoint: 'replace-exchanged' } })

    const next = await session.check('PostToolUse')
    const report = await errorsOf(world, session.id)

    expect(killed.exitCode).toBeUndefined()
    expect(next.markers.map(({ event, fields }) => `${event} ${fields['code'] ?? ''}`)).toContain(
      'error GATE_KILLED',
    )
    expect(report).toMatchObject({ exitCode: 3, errors: 1, unchecked: 1 })
  })

  test('shows in report alone, too, whatever the switch', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')
    await session.hook('PostToolUse', { run: { killPoint: 'replace-exchanged' } })
    world.env['GSTACK_INVESTIGATE_GATE'] = 'off'

    const text = await world.program('gstack-skill-gates', 'report', '--session', session.id)

    expect(text.stdout + text.stderr).toContain('GATE_KILLED')
    expect(text.exitCode).toBe(3)
  })

  for (const killPoint of ['replace-written', 'replace-exchanged', 'keep-rename']) {
    test(`at ${killPoint} leaves no temporary file beside the file that it restored`, async ({ world }) => {
      const { repo, session } = await armed(world)
      const names = readdirSync(repo.path('src')).sort()
      repo.append('src/cart.js', 'fix\n')
      await session.hook('PostToolUse', { run: { killPoint } })

      await session.check('PostToolUse')

      expect(readdirSync(repo.path('src')).sort()).toEqual(names)
      expect(repo.status()).toBe('')
    })
  }

  test('in another session is cleaned up by the next check on the same tree', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.sh('echo fix >> src/cart.js; git add src/cart.js')
    await session.hook('PostToolUse', { run: { killPoint: 'index-locked' } })
    expect(existsSync(repo.path('.git/index.lock'))).toBe(true)

    await armIn(world, repo)

    expect(existsSync(repo.path('.git/index.lock'))).toBe(false)
  })
})
