/** What the front reads, as a real session leaves it. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { encodeCertificate } from '../../src/core/certificate.ts'
import { armed } from '../helpers/armed.ts'
import { toolPayload } from '../helpers/payload.ts'
import type { World } from '../helpers/world.ts'

export interface FrontSeeds {
  /** Holds the certificate of an armed session in which nothing changed. */
  readonly certificate: string
  readonly payload: string
  readonly all: readonly string[]
  /** What the native side needs to hold a certificate. */
  readonly env: Readonly<Record<string, string>>
}

export async function writeFrontSeeds(world: World, into: string): Promise<FrontSeeds> {
  const { session } = await armed(world)
  await sleep(60)
  await session.check('PostToolUse')
  await sleep(60)
  await session.check('PreToolUse')
  const { id, cwd, stateFolder, transcript } = session

  mkdirSync(into)
  const write = (name: string, content: string | Buffer): string => {
    writeFileSync(join(into, name), content)
    return join(into, name)
  }
  const facts = { sessionId: id, transcript: transcript.file, cwd }
  const call = { id: 'toolu_1', tool: 'Bash', input: { command: ':', session_id: 'inner', text: 'é \\ "' } }
  const payload = write('payload', JSON.stringify(toolPayload('PreToolUse', facts, call)))
  const certificate = write(
    'certificate',
    readFileSync(join(world.stateRoot, 'skill-gates/.front', `investigate-gate~${id}`)),
  )
  const [root = ''] = readdirSync(join(stateFolder, 'roots'))
  const pinned = (start: string): string => {
    const folder = join(stateFolder, 'roots', root)
    const name = readdirSync(folder).find((each) => each.startsWith(start)) ?? ''
    return relative(world.stateRoot, join(folder, name))
  }
  const tree = {
    kind: 'tree',
    root: cwd,
    index: pinned('index-'),
    table: pinned('table-'),
    patch: '',
    outside: [],
  } as const
  const small = write('small', encodeCertificate('armed', [tree, { kind: 'boot', id: 'b' }]) ?? '')
  const text = write(
    'transcript',
    Buffer.concat([Buffer.from('\x00\x02\x40\x01'), readFileSync(transcript.file).subarray(0, 3_000)]),
  )
  return {
    certificate,
    payload,
    all: [certificate, payload, small, text],
    env: { ...world.env, FUZZ_STATE_ROOT: world.stateRoot, FUZZ_PAYLOAD: payload },
  }
}
