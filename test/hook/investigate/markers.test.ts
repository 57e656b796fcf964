import { existsSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armed, CAUSE } from '../../helpers/armed.ts'
import type { Session } from '../../helpers/session.ts'
import { test } from '../../helpers/world.ts'

interface Run {
  readonly skill: string
  readonly blocked: number
  readonly observed: number
  readonly fired_at?: string
  readonly released_at?: string
  readonly cause?: string
}

const readGate = (session: Session) => {
  const record = JSON.parse(readFileSync(join(session.stateFolder, 'record.json'), 'utf8')) as {
    session: string
    gates: Record<
      string,
      { runs: Run[]; errors: { code: string; why: string }[]; skipped: { reason: string }[] }
    >
  }
  expect(record.session).toBe(session.id)
  return record.gates['investigate-gate']
}

describe('the record', () => {
  test('counts blocks and observed changes per run, with the times of arming and release', async ({
    world,
  }) => {
    const { repo, session } = await armed(world)
    repo.append('README.md', 'more\n')
    await session.bash('echo fix >> src/cart.js')
    await session.edit('src/cart.js', 'fixed\n')
    session.reads('src/cart.js').says(`Root cause: ${CAUSE}`)
    await session.edit('src/cart.js', 'fixed\n')

    const gate = readGate(session)

    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/) as string
    expect(gate?.runs).toMatchObject([
      {
        skill: 'investigate',
        blocked: 2,
        observed: 1,
        fired_at: time,
        released_at: time,
        cause: expect.stringMatching(/^[0-9a-f]{12}$/) as string,
      },
    ])
    expect(gate?.errors).toEqual([])
  })

  test('has a run per load after a release', async ({ world }) => {
    const { session } = await armed(world)
    session.reads('src/cart.js').says(`Root cause: ${CAUSE}`)
    await session.check('PreToolUse')
    await session.loads('investigate').check('PreToolUse')

    expect(readGate(session)?.runs.map((run) => run.released_at !== undefined)).toEqual([true, false])
  })

  test('is for its owner only, and so is every folder of ours', async ({ world }) => {
    const { session } = await armed(world, 'dirty-start')

    expect(statSync(join(session.stateFolder, 'record.json')).mode & 0o777).toBe(0o600)
    const open = await world.run('find', [world.stateRoot, '-mindepth', '1', '-type', 'd', '-perm', '/077'])
    expect(open.stdout).toBe('')
  })

  test('says why the gate did not arm', async ({ world }) => {
    world.repo('unborn')
    const session = world.session().loads('investigate')
    await session.arm()
    await session.check('PreToolUse')

    expect(readGate(session)?.skipped).toMatchObject([{ reason: 'no-head' }])
  })
})

describe('the trace log', () => {
  test('has one line per marker', async ({ world }) => {
    const { repo, session } = await armed(world)
    await session.bash('echo fix >> src/cart.js')
    session.reads('src/cart.js').says(`Root cause: ${CAUSE}`)
    await session.stop()

    const lines = world
      .log()
      .map((line) => line.replace(/^\d{4}-\d\d-\d\dT[\d:.]+Z /, '').replace(/cause=\w+/, 'cause=...'))

    expect(lines).toEqual([
      `session=${session.id} event=fired skill=investigate on=PreToolUse root=${repo.name}`,
      `session=${session.id} event=blocked skill=investigate via=bash files=1`,
      `session=${session.id} event=released skill=investigate cause=... blocked=1`,
    ])
  })

  test('is rotated at 1 MiB', async ({ world }) => {
    const log = join(world.stateRoot, 'hooks/investigate-gate.log')
    mkdirSync(join(world.stateRoot, 'hooks'))
    writeFileSync(log, `${'x'.repeat(1024 * 1024 - 1)}\n`)

    await armed(world)

    expect(world.log()).toHaveLength(1)
    expect(statSync(`${log}.1`).size).toBe(1024 * 1024)
  })

  test('is not rotated before', async ({ world }) => {
    const log = join(world.stateRoot, 'hooks/investigate-gate.log')
    mkdirSync(join(world.stateRoot, 'hooks'))
    writeFileSync(log, `${'x'.repeat(1024 * 1024 - 2)}\n`)

    await armed(world)

    expect(world.log()).toHaveLength(2)
    expect(existsSync(`${log}.1`)).toBe(false)
  })
})

describe('markers on stdout', () => {
  test('of arming and release ride the systemMessage', async ({ world }) => {
    world.repo('plain')
    const session = world.session().loads('investigate')
    const first = await session.arm()
    session.reads('src/cart.js').says(`Root cause: ${CAUSE}`)
    const second = await session.check('PreToolUse')

    expect(first.systemMessage).toMatch(/^GSTACK_GATE investigate-gate fired session=/)
    expect(second.systemMessage).toMatch(/^GSTACK_GATE investigate-gate released session=/)
  })

  test('hold no blank: other letters are percent-encoded', async ({ world }) => {
    const repo = world.repo('plain')
    repo.sh('cp -a . "../with blank é"')
    const session = world.session({ cwd: repo.path('../with blank é') }).loads('investigate')

    const answer = await session.arm()

    expect(answer.systemMessage).toContain('root=with%20blank%20%C3%A9')
    expect(answer.markers).toMatchObject([{ event: 'fired', fields: { root: 'with blank é' } }])
  })

  test('are part of exactly one JSON object', async ({ world }) => {
    const { session } = await armed(world)

    const { stdout } = await session.edit('src/cart.js', 'fixed\n')

    expect(stdout.trimEnd().split('\n')).toHaveLength(1)
    expect(() => JSON.parse(stdout) as unknown).not.toThrow()
  })
})
