import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armed, CAUSE } from '../../helpers/armed.ts'
import type { HookAnswer } from '../../helpers/run-hook.ts'
import type { LoadVia } from '../../helpers/session-records.ts'
import { test } from '../../helpers/world.ts'

const WAYS: readonly LoadVia[] = ['skill-tool', 'typed', 'read']
const eventsOf = (answer: HookAnswer) => answer.markers.map(({ event }) => event)

describe('a load of /investigate', () => {
  for (const via of WAYS) {
    test(`by ${via} arms the gate at the next call, without holding that call`, async ({ world }) => {
      const repo = world.repo('plain')
      const session = world.session().loads('investigate', via)

      const answer = await session.arm()

      expect(answer.decision).toBeUndefined()
      expect(answer.markers).toEqual([
        {
          hook: 'investigate-gate',
          event: 'fired',
          session: session.id,
          fields: { skill: 'investigate', on: 'PreToolUse', root: repo.name },
        },
      ])
    })

    test(`by ${via} counts under the gstack- prefix, too`, async ({ world }) => {
      world.repo('plain')
      const session = world.session().loads('gstack-investigate', via)

      const answer = await session.arm()

      expect(answer.markers).toMatchObject([{ event: 'fired', fields: { skill: 'investigate' } }])
    })
  }

  for (const place of ['skills/gstack/investigate', '../.gstack/render/claude/investigate']) {
    test(`by a Read of the file that the installed link leads to (${place}) counts`, async ({ world }) => {
      world.repo('plain')
      const session = world.session().reads(join(world.configDir, place, 'SKILL.md'))

      expect(eventsOf(await session.arm())).toEqual(['fired'])
    })
  }

  test('by a Read of a checkout is none', async ({ world }) => {
    const repo = world.repo('plain')
    const session = world.session().reads(repo.path('investigate/SKILL.md'))

    expect((await session.arm()).stdout).toBe('')
  })

  test('that came back as an error is none', async ({ world }) => {
    world.repo('plain')
    const session = world.session()
    session.transcript.toolUse('toolu_1', 'Skill', { skill: 'investigate' })
    session.transcript.toolResult('toolu_1', 'Unknown skill: investigate', { is_error: true })

    expect((await session.arm()).stdout).toBe('')
  })

  test('is seen in its own Skill payload, so that a write in the same message is held', async ({ world }) => {
    world.repo('plain')
    const session = world.session().prompts('Fix the cart.')
    await session.hook('PreToolUse', { tool: 'Skill', input: { skill: 'investigate' }, recorded: false })

    const answer = await session.edit('src/cart.js', 'fixed\n', { recorded: false })

    expect(answer.decision).toBe('deny')
    expect(eventsOf(answer)).toEqual(['blocked', 'fired'])
  })

  test('seen in its payload is none when its result is an error by the next call', async ({ world }) => {
    world.repo('plain')
    const session = world.session().prompts('Fix the cart.')
    await session.hook('PreToolUse', { tool: 'Skill', input: { skill: 'investigate' }, id: 'toolu_load' })
    session.transcript.toolResult('toolu_load', 'Permission to use Skill has been denied.', {
      is_error: true,
    })

    const answer = await session.edit('src/cart.js', 'fixed\n')

    expect(answer.decision).toBeUndefined()
  })

  test("in a subagent's Skill payload is none", async ({ world }) => {
    world.repo('plain')
    const session = world.session().prompts('Fix the cart.')
    const subagent = session.subagent()
    await subagent.hook('PreToolUse', { tool: 'Skill', input: { skill: 'investigate' }, recorded: false })

    const answer = await subagent.edit('src/cart.js', 'fixed\n')

    expect(answer.decision).toBeUndefined()
  })

  test('of another skill in a Skill payload is none', async ({ world }) => {
    world.repo('plain')
    const session = world.session().prompts('Fix the cart.')
    await session.hook('PreToolUse', { tool: 'Skill', input: { skill: 'review' }, recorded: false })

    const answer = await session.edit('src/cart.js', 'fixed\n', { recorded: false })

    expect(answer.decision).toBeUndefined()
  })

  test('seen in payload and transcript is one run', async ({ world }) => {
    world.repo('plain')
    const session = world.session().prompts('Fix the cart.')
    await session.hook('PreToolUse', { tool: 'Skill', input: { skill: 'investigate' }, id: 'toolu_load' })
    session.transcript.toolResult('toolu_load', 'Launching skill: investigate')

    const first = await session.arm()
    const second = await session.check('PostToolUse')

    expect([...eventsOf(first), ...eventsOf(second)]).toEqual(['fired'])
  })

  test('while armed belongs to the same run', async ({ world }) => {
    const { session } = await armed(world)
    session.loads('investigate')

    const answer = await session.edit('src/cart.js', 'fixed\n')

    expect(eventsOf(answer)).toEqual(['blocked'])
  })

  test('while armed asks for a cause of its own', async ({ world }) => {
    const { session } = await armed(world)
    session.reads('src/cart.js').says(`Root cause: ${CAUSE}`).loads('investigate')

    const answer = await session.edit('src/cart.js', 'fixed\n')

    expect(answer.decision).toBe('deny')
  })

  test('after a release arms again', async ({ world }) => {
    const { session } = await armed(world)
    session.reads('src/cart.js').says(`Root cause: ${CAUSE}`)
    await session.check('PreToolUse')
    session.loads('investigate')

    const answer = await session.edit('src/cart.js', 'fixed\n')

    expect(answer.decision).toBe('deny')
    expect(eventsOf(answer)).toEqual(['blocked', 'fired'])
  })
})

describe('the gate', () => {
  test('arms on an Edit and denies that very call', async ({ world }) => {
    world.repo('plain')
    const session = world.session().loads('investigate')

    const answer = await session.edit('src/cart.js', 'fixed\n')

    expect(answer.decision).toBe('deny')
    expect(eventsOf(answer).sort()).toEqual(['blocked', 'fired'])
  })

  test('guards the whole repository from a folder inside it', async ({ world }) => {
    const repo = world.repo('plain')
    const session = world.session({ cwd: repo.path('src/deep') }).loads('investigate')
    await session.arm()
    repo.write('bin/run.sh', 'fixed\n')

    const answer = await session.check('PostToolUse')

    expect(answer.reason).toContain('bin/run.sh')
  })

  test('says nothing and writes nothing in a session that never loaded the skill', async ({ world }) => {
    const repo = world.repo('plain')
    const session = world.session().prompts('Please run /investigate on this.').says('Looking.')
    await session.arm()
    repo.append('src/cart.js', 'changed\n')

    const answers = [
      await session.check('PostToolUse'),
      await session.edit('src/cart.js', 'x'),
      await session.stop(),
    ]

    expect(answers.map(({ stdout, stderr, exitCode }) => [stdout, stderr, exitCode])).toEqual(
      Array(3).fill(['', '', 0]),
    )
    expect(existsSync(join(session.stateFolder, 'record.json'))).toBe(false)
  })

  test('leaves a repository byte for byte as it was when it arms', async ({ world }) => {
    const repo = world.repo('partially-staged')
    const session = world.session().loads('investigate')
    const [before, index] = [repo.snapshot(), repo.bytes('.git/index')]

    await session.arm()

    expect(repo.snapshot()).toEqual(before)
    expect(repo.bytes('.git/index').equals(index)).toBe(true)
  })

  test('answers nothing at a check that finds nothing', async ({ world }) => {
    const { session } = await armed(world)

    const answers = [
      await session.check('PostToolUse'),
      await session.check('PreToolUse'),
      await session.stop(),
    ]

    expect(answers.map(({ stdout }) => stdout)).toEqual(['', '', ''])
  })
})
