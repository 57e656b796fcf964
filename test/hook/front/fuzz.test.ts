/** Damaged certificates, pins and payloads lead to Node, or to the answer that Node would give. Needs the build. */

import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import fc from 'fast-check'
import { describe, expect } from 'vitest'
import { encodeCertificate } from '../../../src/core/certificate.ts'
import { readPayload } from '../../../src/hook/payload.ts'
import { armed, armIn } from '../../helpers/armed.ts'
import { IS_LONG } from '../../helpers/long.ts'
import { lonelyFront } from '../../helpers/lonely-front.ts'
import { toolPayload } from '../../helpers/payload.ts'
import type { Session } from '../../helpers/session.ts'
import { test, type World } from '../../helpers/world.ts'

/** Of so many bytes one is damaged in the usual run. */
const STEP = IS_LONG ? 1 : 23
const RUNS = IS_LONG ? 5_000 : 150

interface Asking {
  readonly ask: (payload: string | Buffer) => 'front' | 'node'
  readonly payload: string
  readonly certificate: string
}

/** Asks the front alone. @throws when it crashed */
function asking(world: World, session: Session): Asking {
  const program = lonelyFront(world)
  const facts = { sessionId: session.id, transcript: session.transcript.file, cwd: session.cwd }
  const call = { id: 'toolu_1', tool: 'Bash', input: { command: ':', session_id: 'inner', text: 'é \\ "' } }
  return {
    payload: JSON.stringify(toolPayload('PreToolUse', facts, call)),
    certificate: join(world.stateRoot, 'skill-gates/.front', `investigate-gate~${session.id}`),
    ask(input) {
      const ran = spawnSync(program, ['investigate-gate'], { input, env: world.env, cwd: world.home })
      if (ran.status !== 0 || ran.stderr.length > 0)
        throw new Error(`the front crashed: ${String(ran.signal)} ${ran.stderr.toString()}`)
      return ran.stdout.length === 0 ? 'front' : 'node'
    },
  }
}

async function unarmed(world: World): Promise<Asking> {
  world.repo('plain')
  const session = world.session().prompts('Hi').says('Hello')
  await session.check('PreToolUse')
  return asking(world, session)
}

/** Every truncation, and every byte with one bit or all of them turned. */
function* damage(bytes: Buffer, step: number): Generator<Buffer> {
  for (let at = 0; at < bytes.length; at += step) {
    yield bytes.subarray(0, at)
    for (const mask of [1, 0xff]) {
      const copy = Buffer.from(bytes)
      copy[at] = (copy[at] ?? 0) ^ mask
      yield copy
    }
  }
  yield Buffer.concat([bytes, Buffer.from([0])])
}

const sealed = (content: Buffer): Buffer =>
  Buffer.concat([content, createHash('sha1').update(content).digest()])

describe('a certificate', () => {
  test('that is damaged anywhere is for Node', async ({ world }) => {
    const { ask, payload, certificate } = await unarmed(world)
    const bytes = readFileSync(certificate)
    expect(ask(payload)).toBe('front')

    for (const damaged of damage(bytes, STEP)) {
      writeFileSync(certificate, damaged)
      expect(ask(payload)).toBe('node')
    }
  })

  test('that is damaged and sealed again crashes nothing', async ({ world }) => {
    const { ask, payload, certificate } = await unarmed(world)
    const bytes = readFileSync(certificate)

    for (const damaged of damage(bytes, STEP)) {
      writeFileSync(certificate, sealed(damaged.subarray(0, -20)))
      ask(payload)
    }
  })
})

describe('a pinned tree', () => {
  test('whose index, table or patch is damaged is for Node, or shows that nothing changed', async ({
    world,
  }) => {
    const repo = await world.shellRepo('new_repo; for i in $(seq 20); do echo a > $i.js; done; save')
    const { session } = await armIn(world, repo)
    repo.append('7.js', 'fix')
    for (const event of ['PostToolUse', 'PreToolUse', 'PreToolUse'] as const) {
      await session.check(event)
      await sleep(40)
    }
    const { ask, payload, certificate } = asking(world, session)
    const [folder = ''] = readdirSync(join(session.stateFolder, 'roots'))
    const pins = join(session.stateFolder, 'roots', folder)
    const nameOf = (start: string) => readdirSync(pins).find((name) => name.startsWith(start)) ?? ''
    const [index, table, patch] = [nameOf('index-'), nameOf('table-'), nameOf('patch-')].map((name) =>
      join(pins, name),
    ) as [string, string, string]
    const tree = {
      kind: 'tree',
      root: session.cwd,
      index: relative(world.stateRoot, index),
      table: relative(world.stateRoot, table),
      patch: relative(world.stateRoot, patch),
      outside: [],
    } as const
    const only = sealed(encodeCertificate('armed', [tree]) ?? Buffer.alloc(0))

    for (const file of [index, table, patch]) {
      const bytes = readFileSync(file)
      for (const damaged of damage(bytes, STEP)) {
        writeFileSync(file, damaged)
        writeFileSync(certificate, only)
        ask(payload)
      }
      writeFileSync(file, bytes)
      expect(ask(payload)).toBe('front')
    }
  }, 300_000)

  test('of which any row differs is for Node', async ({ world }) => {
    const { session } = await armed(world)
    await sleep(40)
    await session.check('PreToolUse')
    const { ask, payload } = asking(world, session)
    const [folder = ''] = readdirSync(join(session.stateFolder, 'roots'))
    const pins = join(session.stateFolder, 'roots', folder)
    const table = join(pins, readdirSync(pins).find((name) => name.startsWith('table-')) ?? '')
    const bytes = readFileSync(table)
    expect(ask(payload)).toBe('front')

    writeFileSync(table, bytes)
    expect(ask(payload)).toBe('node')
  })
})

describe('a payload', () => {
  test('that is damaged is for Node, unless Node reads the same call from it', async ({ world }) => {
    const { ask, payload } = await unarmed(world)
    const whole = readPayload(Buffer.from(payload))

    for (const damaged of damage(Buffer.from(payload), IS_LONG ? 1 : 7)) {
      if (ask(damaged) === 'node') continue
      const read = readPayload(damaged)
      expect([read.session, read.transcriptPath]).toEqual([whole.session, whole.transcriptPath])
      expect(read.tool === 'Skill' && read.agentId === undefined).toBe(false)
    }
  })

  test('of any spelling is for Node, unless Node reads the same call from it', async ({ world }) => {
    const { ask, payload } = await unarmed(world)
    const whole = readPayload(Buffer.from(payload))
    let silent = 0

    fc.assert(
      fc.property(spellings(JSON.parse(payload) as Record<string, unknown>), (text) => {
        if (ask(text) === 'node') return
        silent++
        const read = readPayload(Buffer.from(text))
        expect([read.session, read.transcriptPath]).toEqual([whole.session, whole.transcriptPath])
        expect(read.tool === 'Skill' && read.agentId === undefined).toBe(false)
      }),
      { numRuns: RUNS, seed: 12 },
    )
    expect(silent).toBeGreaterThan(RUNS / 20)
  })
})

/** JSON texts that are nearly a payload: members twice, in any order, with escapes and blanks, and other values. */
function spellings(fields: Readonly<Record<string, unknown>>): fc.Arbitrary<string> {
  const names = Object.keys(fields)
  const own = fc.constantFrom(...names).map((name) => [name, fields[name]] as const)
  const odd = fc.tuple(
    fc.constantFrom(...names, 'agent_id', '__proto__', 'x'),
    fc.oneof(fc.jsonValue({ maxDepth: 3 }), fc.constantFrom(null, 'Skill', '', 'a\u0000b', '\ud800')),
  )
  const member = fc.oneof({ arbitrary: own, weight: 12 }, { arbitrary: odd, weight: 1 })
  const style = fc.record({ blank: fc.constantFrom('', ' ', '\n\t', '\r'), escapes: fc.boolean() })
  const broken = fc.constantFrom('', '', '', '', '', ',', '}', 'x', '\ufeff')
  return fc
    .tuple(
      fc.array(member, { maxLength: 4 }),
      fc.shuffledSubarray(names, { minLength: names.length }),
      style,
      broken,
    )
    .map(([extra, order, { blank, escapes }, end]) => {
      const all = [
        ...extra.slice(0, 2),
        ...order.map((name) => [name, fields[name]] as const),
        ...extra.slice(2),
      ]
      const spell = (value: unknown) => (escapes ? escaped(JSON.stringify(value)) : JSON.stringify(value))
      return `{${all.map(([name, value]) => `${blank}${spell(name)}${blank}:${blank}${spell(value)}`).join(`${blank},`)}${blank}}${end}`
    })
}

/** Letters inside of strings as escapes, as JSON allows. */
const escaped = (json: string): string =>
  json.replace(/"(?:[^"\\]|\\.)*"/g, (text) =>
    text.replace(/[a-z]/g, (letter, at: number) =>
      text[at - 1] === '\\' || at % 3 > 0 || /\\u[0-9a-f]{0,3}$/.test(text.slice(0, at))
        ? letter
        : `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  )
