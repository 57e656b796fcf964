import { existsSync, readFileSync } from 'node:fs'
import { describe, expect } from 'vitest'
import { armed } from '../../helpers/armed.ts'
import type { HookAnswer } from '../../helpers/run-hook.ts'
import { copiesIn, OFF_SWITCH } from '../../helpers/standard.ts'
import { test, type World } from '../../helpers/world.ts'

async function blocked(world: World, rounds = 1) {
  const { repo, session } = await armed(world)
  const answers: HookAnswer[] = []
  for (let round = 0; round < rounds; round += 1) {
    repo.append('src/cart.js', `fix ${String(round)}\n`)
    answers.push(await session.check('PostToolUse'))
  }
  return { repo, session, answers, first: answers[0] as HookAnswer }
}

describe('the text of a block', () => {
  test('starts with the marker, on a line of its own', async ({ world }) => {
    const { session, first } = await blocked(world)

    expect(first.reason.split('\n')[0]).toBe(
      `GSTACK_GATE investigate-gate blocked session=${session.id} skill=investigate via=bash files=1`,
    )
  })

  test('names the form that releases the gate', async ({ world }) => {
    const { first } = await blocked(world)

    expect(first.reason).toMatch(/Root cause: <[^>]*file:line[^>]*>/)
  })

  test('names a copy that holds the replaced bytes', async ({ world }) => {
    const { repo, session, first } = await blocked(world)

    const copies = copiesIn(first.reason, session)

    expect(copies.map((copy) => readFileSync(copy, 'utf8'))).toEqual([`${repo.read('src/cart.js')}fix 0\n`])
  })

  test('never names the switch', async ({ world }) => {
    const { answers } = await blocked(world, 2)

    for (const answer of answers) expect(answer.reason).not.toMatch(OFF_SWITCH)
  })

  test('is in full at the first block of a run and short after, with file, copy and form', async ({
    world,
  }) => {
    const { session, answers } = await blocked(world, 3)
    const [first, second, third] = answers

    expect(second?.reason.length).toBeLessThan((first?.reason.length ?? 0) * 0.8)
    expect(third?.reason.length).toBe(second?.reason.length)
    expect(second?.reason).toContain('src/cart.js')
    expect(second?.reason).toContain('Root cause:')
    expect(copiesIn(second?.reason ?? '', session)).toHaveLength(1)
  })

  test('quotes a rejected value on one line, shortened when it is long', async ({ world }) => {
    const { session } = await armed(world)
    session.reads('src/price.js').says(`Root cause: [${'what was wrong '.repeat(100)}]`)

    const answer = await session.edit('src/price.js', 'fixed\n')

    expect(answer.reason).toContain('[what was wrong what was wrong')
    expect(answer.reason.length).toBeLessThan(2_500)
  })

  test('says that a cause just stated counts when the same call is repeated', async ({ world }) => {
    const { session } = await armed(world)

    const answer = await session.edit('src/price.js', 'fixed\n', { recorded: false })

    expect(answer.reason).toMatch(/repeat|again/i)
  })

  test('names twenty files with their copies, then a count and where the full list is', async ({ world }) => {
    const { repo, session } = await armed(world, 'large')
    const files = Array.from({ length: 25 }, (_, index) => `src/d0/f${String(index)}.js`)
    for (const file of files) repo.append(file, 'fix\n')

    const answer = await session.check('PostToolUse')

    const named = files.filter((file) => new RegExp(`${file.replace('.', '\\.')}\\b`).test(answer.reason))
    const list = copiesIn(answer.reason, session).find((path) =>
      readFileSync(path, 'utf8').includes('src/d0/f24.js'),
    )
    expect(named).toHaveLength(20)
    expect(answer.markers).toMatchObject([{ fields: { files: '25' } }])
    expect(list).toBeDefined()
    for (const file of files) expect(readFileSync(list ?? '', 'utf8')).toContain(file)
  })
})

describe('the person is told', () => {
  test('by a systemMessage with file and copy when something was put back', async ({ world }) => {
    const { session, first } = await blocked(world)

    expect(first.systemMessage).toContain('src/cart.js')
    const [copy] = copiesIn(first.systemMessage, session)
    expect(existsSync(copy ?? '')).toBe(true)
  })

  test('of the gate arming, which the model does not see', async ({ world }) => {
    world.repo('plain')

    const answer = await world.session().loads('investigate').arm()

    expect(Object.keys(answer.json ?? {})).toEqual(['systemMessage'])
  })
})

describe('each event has its own shape of a block', () => {
  test('PreToolUse', async ({ world }) => {
    const { repo, session } = await armed(world)
    repo.append('src/cart.js', 'fix\n')

    const answer = await session.check('PreToolUse')

    expect(answer.json).toEqual({
      hookSpecificOutput: {
        hookEventName: 'PreToolUse',
        permissionDecision: 'deny',
        permissionDecisionReason: answer.reason,
      },
      systemMessage: answer.systemMessage,
    })
  })

  for (const event of ['PostToolUse', 'PostToolUseFailure', 'Stop'] as const) {
    test(event, async ({ world }) => {
      const { repo, session } = await armed(world)
      repo.append('src/cart.js', 'fix\n')

      const answer = await session.check(event)

      expect(answer.json).toEqual({
        decision: 'block',
        reason: answer.reason,
        systemMessage: answer.systemMessage,
      })
    })
  }
})
