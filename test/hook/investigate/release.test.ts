import { createHash } from 'node:crypto'
import { describe, expect } from 'vitest'
import { armed, CAUSE } from '../../helpers/armed.ts'
import type { Session } from '../../helpers/session.ts'
import { test } from '../../helpers/world.ts'

const FIX = 'export function price(item) {\n  return item.cents\n}\n'
const tryEdit = (session: Session) => session.edit('src/price.js', FIX)

describe('a stated root cause', () => {
  test('releases the gate: the edit goes through and stays', async ({ world }) => {
    const { repo, session } = await armed(world)
    session.reads('src/price.js').says(`Found it.\n\nRoot cause: ${CAUSE}\n\nFixing now.`)

    const answer = await tryEdit(session)
    const checks = [await session.check('PostToolUse'), await session.stop()]

    expect(answer.decision).toBeUndefined()
    expect(checks.map(({ stdout }) => stdout)).toEqual(['', ''])
    expect(repo.read('src/price.js')).toBe(FIX)
  })

  test('is marked with the first digits of its sha256 and the number of blocks before', async ({ world }) => {
    const { session } = await armed(world)
    await tryEdit(session)
    session.reads('src/price.js').says(`Root cause: ${CAUSE}`)

    const answer = await tryEdit(session)

    const cause = createHash('sha256').update(CAUSE).digest('hex').slice(0, 12)
    expect(answer.markers).toMatchObject([
      { event: 'released', session: session.id, fields: { skill: 'investigate', cause, blocked: '1' } },
    ])
  })

  test('releases once, and no later statement is counted', async ({ world }) => {
    const { session } = await armed(world)
    session.reads('src/price.js').says(`Root cause: ${CAUSE}`)
    await tryEdit(session)
    session.says('Root cause: something else, src/cart.js:3')

    const answers = [await tryEdit(session), await session.check('PreToolUse'), await session.stop()]

    expect(answers.map(({ stdout }) => stdout)).toEqual(['', '', ''])
  })

  test('before the first gated call fires and releases at once', async ({ world }) => {
    world.repo('plain')
    const session = world.session().loads('investigate').reads('src/price.js').says(`Root cause: ${CAUSE}`)

    const answer = await tryEdit(session)

    expect(answer.decision).toBeUndefined()
    expect(answer.markers.map(({ event }) => event)).toEqual(['fired', 'released'])
  })

  test('at the end of a turn is read from last_assistant_message', async ({ world }) => {
    const { repo, session } = await armed(world)
    session.reads('src/price.js')
    repo.write('src/price.js', FIX)

    const answer = await session.hook('Stop', { payload: { last_assistant_message: `Root cause: ${CAUSE}` } })

    expect(answer.decision).toBeUndefined()
    expect(answer.markers).toMatchObject([{ event: 'released' }])
    expect(repo.read('src/price.js')).toBe(FIX)
  })

  const forms = [
    `- Root cause: ${CAUSE}`,
    `* **Root cause:** ${CAUSE}`,
    `ROOT CAUSE: ${CAUSE}`,
    `1. root cause: ${CAUSE}`,
  ]
  for (const form of forms) {
    test(`counts as "${form.slice(0, 18)}..."`, async ({ world }) => {
      const { session } = await armed(world)
      session.reads('src/price.js').says(form)

      expect((await tryEdit(session)).decision).toBeUndefined()
    })
  }
})

describe('the look at the code', () => {
  const looks: readonly [string, (session: Session) => Session][] = [
    ['a Read', (session) => session.reads('src/price.js')],
    ['a Grep', (session) => session.greps('price')],
    ['a Bash call', (session) => session.ranBash('cat src/price.js')],
    ['a failing repro', (session) => session.ranBash('node repro.js', 1)],
  ]
  for (const [name, look] of looks) {
    test(`can be ${name}`, async ({ world }) => {
      const { session } = await armed(world)
      look(session).says(`Root cause: ${CAUSE}`)

      expect((await tryEdit(session)).decision).toBeUndefined()
    })
  }

  const noLooks: readonly [string, (session: Session) => Session][] = [
    ['nothing at all', (session) => session],
    ['a Read that failed', (session) => session.reads('src/gone.js', 'error')],
    ['a Read that was denied', (session) => session.reads('src/price.js', 'denied')],
    ['a Read that the user rejected', (session) => session.reads('src/price.js', 'rejected')],
  ]
  for (const [name, look] of noLooks) {
    test(`is not ${name}`, async ({ world }) => {
      const { session } = await armed(world)
      look(session).says(`Root cause: ${CAUSE}`)

      expect((await tryEdit(session)).decision).toBe('deny')
    })
  }

  test('is not the Read that loaded the skill', async ({ world }) => {
    const { session } = await armed(world, 'plain', 'read')
    session.says(`Root cause: ${CAUSE}`)

    expect((await tryEdit(session)).decision).toBe('deny')
  })

  test('is not a look from before the load', async ({ world }) => {
    world.repo('plain')
    const session = world.session().reads('src/price.js').loads('investigate').says(`Root cause: ${CAUSE}`)

    expect((await tryEdit(session)).decision).toBe('deny')
  })

  test('is not the very call that is judged', async ({ world }) => {
    const repo = world.repo('plain')
    const session = world.session().loads('investigate').says(`Root cause: ${CAUSE}`)

    const { post } = await session.bash("sed -i 's/ [*] item.count//' src/price.js")

    expect(post?.decision).toBe('block')
    expect(repo.status()).toBe('')
  })
})

describe('no root cause is', () => {
  const rejected = ['[what was actually wrong]', 'TBD', 'unknown', 'still investigating', 'n/a']
  for (const value of rejected) {
    test(`"${value}", and the block shows it`, async ({ world }) => {
      const { session } = await armed(world)
      session.reads('src/price.js').says(`Root cause: ${value}`)

      const answer = await tryEdit(session)

      expect(answer.decision).toBe('deny')
      expect(answer.reason).toContain(value.replace(/\.$/, ''))
    })
  }

  const unsaid: readonly [string, (session: Session) => void][] = [
    ['a hypothesis', (session) => session.says(`Root cause hypothesis: ${CAUSE}`)],
    ['a line in a prompt', (session) => session.prompts(`Root cause: ${CAUSE}`)],
    [
      'a line that a file holds',
      (session) => session.transcript.toolResult('toolu_x', `Root cause: ${CAUSE}`),
    ],
    ['a quoted line', (session) => session.says(`> Root cause: ${CAUSE}`)],
    ['a line inside a sentence', (session) => session.says(`I will state the root cause: later, ${CAUSE}`)],
    [
      'a thought',
      (session) => session.transcript.assistant({ type: 'thinking', thinking: `Root cause: ${CAUSE}` }),
    ],
    ['an empty value', (session) => session.says('Root cause:')],
  ]
  for (const [name, say] of unsaid) {
    test(name, async ({ world }) => {
      const { session } = await armed(world)
      say(session.reads('src/price.js'))

      expect((await tryEdit(session)).decision).toBe('deny')
    })
  }

  test("the block's own words in the transcript", async ({ world }) => {
    const { repo, session } = await armed(world)
    session.reads('src/price.js')
    repo.append('src/cart.js', 'fix\n')
    await session.stop()
    repo.append('src/cart.js', 'fix\n')
    await session.check('PreToolUse')

    expect((await tryEdit(session)).decision).toBe('deny')
  })
})
