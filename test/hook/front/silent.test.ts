/** Which calls the front answers without Node. Needs the build. */

import { symlinkSync, renameSync, truncateSync, writeFileSync, mkdirSync, utimesSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { armed, CAUSE } from '../../helpers/armed.ts'
import { whoAnswers } from '../../helpers/lonely-front.ts'
import type { Session } from '../../helpers/session.ts'
import { test, type World } from '../../helpers/world.ts'

const CERTIFICATES = 'skill-gates/.front'

const certificate = (world: World, session: Session, hook = 'investigate-gate') =>
  join(world.stateRoot, CERTIFICATES, `${hook}~${session.id}`)

/** State files are trusted once they are older than a tick. */
const AGE_MS = 40

/** A session without a load, of which Node has seen a call. */
async function unarmed(world: World): Promise<Session> {
  world.repo('plain')
  const session = world.session().prompts('The total is wrong.').says('Let me look.')
  await session.check('PreToolUse')
  return session
}

describe('without a load', () => {
  test('the front answers every event once Node has seen one', async ({ world }) => {
    const session = await unarmed(world)

    expect(await whoAnswers(world, session, 'PreToolUse')).toBe('front')
    expect(await whoAnswers(world, session, 'PostToolUse')).toBe('front')
    expect(await whoAnswers(world, session, 'Stop')).toBe('front')
    expect(
      await whoAnswers(world, session, 'PreToolUse', { tool: 'Edit', input: { file_path: 'src/a.js' } }),
    ).toBe('front')
  })

  test('a session that Node has not seen is for Node', async ({ world }) => {
    await unarmed(world)

    expect(await whoAnswers(world, world.session().prompts('Hi'))).toBe('node')
  })

  test('what is said meanwhile changes nothing, however long it is', async ({ world }) => {
    const session = await unarmed(world)
    session.says('x'.repeat(500_000)).ranBash('npm test')

    expect(await whoAnswers(world, session)).toBe('front')
  })

  test('the name of the skill is for Node', async ({ world }) => {
    const session = await unarmed(world)
    session.loads('investigate')

    expect(await whoAnswers(world, session)).toBe('node')
  })

  test('a name that is spelled with escapes is for Node', async ({ world }) => {
    const session = await unarmed(world)
    session.transcript.raw('{"type":"user","message":{"content":"\\u0069nvestigate"}}\n')

    expect(await whoAnswers(world, session)).toBe('node')
  })

  test('a Skill call is for Node, unless a subagent makes it', async ({ world }) => {
    const session = await unarmed(world)
    const skill = { tool: 'Skill', input: { skill: 'other' } }

    expect(await whoAnswers(world, session, 'PreToolUse', skill)).toBe('node')
    expect(await whoAnswers(world, session, 'PreToolUse', { ...skill, payload: { agent_id: 'a1' } })).toBe(
      'front',
    )
  })

  test('a transcript that is another file, or shorter, is for Node', async ({ world }) => {
    const session = await unarmed(world)
    renameSync(session.transcript.file, `${session.transcript.file}.old`)
    writeFileSync(session.transcript.file, '{}\n'.repeat(1000))
    expect(await whoAnswers(world, session)).toBe('node')

    renameSync(`${session.transcript.file}.old`, session.transcript.file)
    expect(await whoAnswers(world, session)).toBe('front')
    truncateSync(session.transcript.file, 100)
    expect(await whoAnswers(world, session)).toBe('node')
  })

  test('a transcript that became too long is for Node', async ({ world }) => {
    const session = await unarmed(world)
    truncateSync(session.transcript.file, 33 * 1024 * 1024)

    expect(await whoAnswers(world, session)).toBe('node')
  })

  test('another value of the switch is for Node', async ({ world }) => {
    const session = await unarmed(world)

    for (const GSTACK_INVESTIGATE_GATE of ['off', undefined])
      expect(await whoAnswers(world, session, 'Stop', { run: { env: { GSTACK_INVESTIGATE_GATE } } })).toBe(
        'node',
      )
  })

  test('a pass at work is for Node', async ({ world }) => {
    const session = await unarmed(world)
    mkdirSync(join(world.stateRoot, 'skill-gates/.in-flight'), { recursive: true })
    expect(await whoAnswers(world, session)).toBe('front')

    writeFileSync(join(world.stateRoot, 'skill-gates/.in-flight/1-1.json'), '{}')
    expect(await whoAnswers(world, session)).toBe('node')
  })
})

describe('switched off', () => {
  test.for(['investigate-gate', 'ceo-review-gate', 'skill-contract', 'skill-route'])(
    'the front answers for %s until the configuration changes',
    async (hook, { world }) => {
      world.env['GSTACK_INVESTIGATE_GATE'] = ''
      world.repo('plain')
      const config = join(world.stateRoot, 'config.yaml')
      const asOff = `${hook.replace(/-/g, '_')}: off\n`
      writeFileSync(config, asOff)
      await sleep(AGE_MS)
      const session = world.session().prompts('Hi')
      await session.hook('Stop', { run: { hook } })

      expect(await whoAnswers(world, session, 'Stop', { run: { hook } })).toBe('front')
      writeFileSync(config, asOff.replace('off', 'on '))
      expect(await whoAnswers(world, session, 'Stop', { run: { hook } })).toBe('node')
    },
  )

  test('a configuration behind a link is for Node', async ({ world }) => {
    world.env['GSTACK_INVESTIGATE_GATE'] = ''
    world.repo('plain')
    writeFileSync(join(world.folder, 'elsewhere'), 'investigate_gate: off\n')
    symlinkSync(join(world.folder, 'elsewhere'), join(world.stateRoot, 'config.yaml'))
    const session = world.session().prompts('Hi')
    await session.check('Stop')

    expect(await whoAnswers(world, session)).toBe('node')
  })

  test('a run that was held when the switch went off is for Node, once', async ({ world }) => {
    const { session } = await armed(world)
    const off = { run: { env: { GSTACK_INVESTIGATE_GATE: 'off' } } }
    expect(await whoAnswers(world, session, 'Stop', off)).toBe('node')

    await session.hook('Stop', off)
    await sleep(AGE_MS)
    await session.hook('Stop', off)
    expect(await whoAnswers(world, session, 'Stop', off)).toBe('front')
  })
})

describe('released', () => {
  test('the front answers until the next load', async ({ world }) => {
    const { session } = await armed(world)
    session.greps('total').says(`Root cause: ${CAUSE}`)
    await session.check('PreToolUse')
    await sleep(AGE_MS)
    await session.check('PreToolUse')

    expect(await whoAnswers(world, session)).toBe('front')
    session.loads('investigate')
    expect(await whoAnswers(world, session)).toBe('node')
  })
})

describe('the state root', () => {
  test.for(['skill-gates', 'skill-gates/.front'])(
    'is not followed through a link at %s',
    async (name, { world }) => {
      const session = await unarmed(world)
      const elsewhere = join(world.folder, 'elsewhere')
      renameSync(join(world.stateRoot, name), elsewhere)
      symlinkSync(elsewhere, join(world.stateRoot, name))

      expect(await whoAnswers(world, session)).toBe('node')
    },
  )

  test('is not followed through a certificate that is a link', async ({ world }) => {
    const session = await unarmed(world)
    const elsewhere = join(world.folder, 'elsewhere')
    renameSync(certificate(world, session), elsewhere)
    symlinkSync(elsewhere, certificate(world, session))

    expect(await whoAnswers(world, session)).toBe('node')
  })

  test.for([
    ['GSTACK_HOME', (root: string) => root],
    ['GSTACK_STATE_DIR', (root: string) => `${root}/`],
    ['GSTACK_STATE_ROOT', () => '.gstack'],
  ] as const)('is found by %s as Node finds it', async ([name, spell], { world }) => {
    world.env['GSTACK_STATE_ROOT'] = ''
    world.env[name] = spell(world.stateRoot)
    const session = await unarmed(world)

    expect(await whoAnswers(world, session)).toBe('front')
  })

  test('with dots in its name is for Node', async ({ world }) => {
    world.env['GSTACK_STATE_ROOT'] = `${world.home}/x/../.gstack`
    const session = await unarmed(world)

    expect(await whoAnswers(world, session)).toBe('node')
  })
})

test('an old certificate is swept when another session gets its first', async ({ world }) => {
  const session = await unarmed(world)
  const old = certificate(world, session)
  utimesSync(old, 1, 1)
  await world.session().prompts('Hi').says('Hello').check('Stop')

  expect(await whoAnswers(world, session)).toBe('node')
})
