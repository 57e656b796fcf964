import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armCase, chooseCaseEnvironment } from '../helpers/case.ts'
import type { Session } from '../helpers/session.ts'
import { test, type World } from '../helpers/world.ts'

const SETUP = "new_repo; printf 'a\\n' > src/a.js; save"
const TAGS = '<command-message>investigate</command-message>\n<command-name>/investigate</command-name>'

async function isArmedBy(world: World, load: (session: Session) => unknown): Promise<boolean> {
  chooseCaseEnvironment(world)
  await world.shellRepo(SETUP)
  const session = world.session()
  load(session)
  return (await session.edit('src/a.js', 'fix\n')).decision === 'deny'
}

const typed = (content: unknown) => (session: Session) => session.transcript.user(content)
const skillCall = (session: Session, result: string, isError: boolean) => {
  session.transcript.toolUse('toolu_skill', 'Skill', { skill: 'investigate' })
  session.transcript.toolResult('toolu_skill', result, { is_error: isError })
}
const readOf = (path: (world: World) => string, world: World) => (session: Session) =>
  session.reads(path(world))

describe('C28: a load is', () => {
  const loads: readonly [string, (session: Session, world: World) => unknown][] = [
    ['the two tags', (session) => typed(TAGS)(session)],
    ['the two tags in the other order', (session) => typed(TAGS.split('\n').reverse().join('\n'))(session)],
    ['a plugin prefix', (session) => typed('<command-name>/gstack:investigate</command-name>')(session)],
    [
      'tags with arguments',
      (session) => typed(`${TAGS}\n<command-args>the cart total</command-args>`)(session),
    ],
    ['tags in a block list', (session) => typed([{ type: 'text', text: TAGS }])(session)],
    ['a Skill call', (session) => skillCall(session, 'Launching skill: investigate', false)],
    [
      'a Read of the installed file',
      (session, world) =>
        readOf(({ configDir }) => join(configDir, 'skills/investigate/SKILL.md'), world)(session),
    ],
  ]
  test.for(loads)('%s', async ([, load], { world }) => {
    expect(await isArmedBy(world, (session) => load(session, world))).toBe(true)
  })
})

describe('C28: no load is', () => {
  const mentions: readonly [string, (session: Session, world: World) => unknown][] = [
    ['a request in a sentence', (session) => typed('please run /investigate on this')(session)],
    [
      'the tags in a code block of a longer prompt',
      (session) => typed(`What does this mean?\n\`\`\`\n${TAGS}\n\`\`\``)(session),
    ],
    ['the tags in a tool result', (session) => session.transcript.toolResult('toolu_x', TAGS)],
    [
      'a Read of a checkout',
      (session, world) => readOf(({ folder }) => join(folder, 'gstack/investigate/SKILL.md'), world)(session),
    ],
    ['a Skill call that failed', (session) => skillCall(session, 'Unknown skill', true)],
    ['another skill', (session) => typed(TAGS.replaceAll('investigate', 'investigate-more'))(session)],
    ['the tags in a reply', (session) => session.says(TAGS)],
  ]
  test.for(mentions)('%s', async ([, mention], { world }) => {
    expect(await isArmedBy(world, (session) => mention(session, world))).toBe(false)
  })
})

const LINE = 'Root cause: src/a.js:1 off by one'
const BLOCK_TEMPLATE = 'Root cause: <what is actually wrong, with file:line>'

describe('C28: the gate is released by', () => {
  test.for([LINE, `**${LINE}**`, `- ${LINE}`, `I looked.\n\n**Root cause:** src/a.js:1 off by one`])(
    '%j',
    async (text, { world }) => {
      const { session } = await armCase(world, SETUP)

      const answer = await session.reads('src/a.js').says(text).edit('src/a.js', 'fix\n')

      expect(answer.decision).toBeUndefined()
    },
  )
})

describe('C28: the gate is not released by the line', () => {
  const elsewhere: readonly [string, (session: Session, world: World) => unknown][] = [
    ['in a tool result', (session) => session.transcript.toolResult('toolu_x', LINE)],
    ['in a prompt', (session) => session.transcript.user(LINE)],
    [
      'in a file that is read',
      (session, world) => {
        mkdirSync(join(world.home, 'notes'))
        writeFileSync(join(world.home, 'notes/cause.md'), LINE)
        session.reads(join(world.home, 'notes/cause.md'))
      },
    ],
    ["as the block's own template", (session) => session.says(`The gate asks for this:\n${BLOCK_TEMPLATE}`)],
    ['in a fenced block', (session) => session.says(`For example:\n\`\`\`\n${LINE}\n\`\`\``)],
    ['in a quote', (session) => session.says(`They wrote:\n> ${LINE}`)],
  ]
  test.for(elsewhere)('%s', async ([, say], { world }) => {
    const { session } = await armCase(world, SETUP)
    session.reads('src/a.js')
    say(session, world)

    expect((await session.edit('src/a.js', 'fix\n')).decision).toBe('deny')
  })

  test('when its value is a hedge, which the block shows beside the wanted form', async ({ world }) => {
    const { session } = await armCase(world, SETUP)

    const answer = await session.reads('src/a.js').says('Root cause: unknown').edit('src/a.js', 'fix\n')

    expect(answer.decision).toBe('deny')
    expect(answer.reason).toContain('unknown')
    expect(answer.reason).toContain('Root cause:')
  })
})
