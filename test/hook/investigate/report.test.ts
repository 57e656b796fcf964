import { describe, expect } from 'vitest'
import { armed, CAUSE } from '../../helpers/armed.ts'
import { test, type World } from '../../helpers/world.ts'

const report = (world: World, ...args: string[]) => world.program('gstack-skill-gates', 'report', ...args)

describe('report', () => {
  test('prints the counts of each session as JSON', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('README.md', 'more\n')
    await session.bash('echo fix >> src/cart.js')
    await session.stop(`Root cause: ${CAUSE}`)
    session.reads('src/cart.js').says(`Root cause: ${CAUSE}`)
    await session.check('PreToolUse')

    const { stdout, exitCode } = await report(world, '--json')

    expect(exitCode).toBe(0)
    expect(JSON.parse(stdout)).toEqual({
      sessions: [
        {
          session: session.id,
          gates: {
            'investigate-gate': {
              runs: 1,
              fired: 1,
              blocked: 1,
              released: 1,
              exhausted: 0,
              observed: 1,
              unchecked: 0,
              errors: 0,
            },
          },
        },
      ],
    })
  })

  test('names the session in its text', async ({ world }) => {
    const { session } = await armed(world)

    const { stdout, exitCode } = await report(world)

    expect(stdout).toContain(session.id)
    expect(exitCode).toBe(0)
  })

  test('has no sessions before the first', async ({ world }) => {
    const { stdout, exitCode } = await report(world, '--json')

    expect(JSON.parse(stdout)).toEqual({ sessions: [] })
    expect(exitCode).toBe(0)
  })

  test('exits 1 for a bad argument', async ({ world }) => {
    const { stderr, exitCode } = await report(world, '--expect', 'everything')

    expect(exitCode).toBe(1)
    expect(stderr).toContain('SKILL_GATES_USAGE')
  })

  test('exits 0 with --expect armed when the session fired', async ({ world }) => {
    const { session } = await armed(world)

    expect((await report(world, '--session', session.id, '--expect', 'armed')).exitCode).toBe(0)
  })

  test('exits 2 with --expect armed for a session that no hook ever saw', async ({ world }) => {
    const { stdout, stderr, exitCode } = await report(world, '--session', 'never-seen', '--expect', 'armed')

    expect(exitCode).toBe(2)
    expect(stdout + stderr).toContain('GATE_NOT_ARMED')
  })

  test('exits 2 before 3', async ({ world }) => {
    world.repo('plain')
    const session = world.session()
    await session.hook('PreToolUse', { payload: { transcript_path: '/nonexistent/t.jsonl' } })

    const plain = await report(world, '--session', session.id)
    const expecting = await report(world, '--session', session.id, '--expect', 'armed')

    expect([plain.exitCode, expecting.exitCode]).toEqual([3, 2])
    expect(plain.stdout + plain.stderr).toContain('GATE_ERRORED')
  })
})
