/** A tree in which the front finds a difference is looked at on while Node starts. Needs the build. */

import { spawnSync } from 'node:child_process'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect } from 'vitest'
import { SCAN_NAME } from '../../../src/core/handed-scan.ts'
import { native } from '../../../src/native/binding.ts'
import { armIn } from '../../helpers/armed.ts'
import { lonelyFront } from '../../helpers/lonely-front.ts'
import { toolPayload } from '../../helpers/payload.ts'
import { PACKAGE, test, type World } from '../../helpers/world.ts'

const TRUSTED_MS = 40
const IS_LINUX = process.platform === 'linux'

async function certified(world: World) {
  const repo = await world.shellRepo(
    'new_repo; for i in $(seq -w 40); do echo "const n = $i" > f$i.js; done; save',
  )
  await sleep(TRUSTED_MS)
  const { session } = await armIn(world, repo)
  await sleep(TRUSTED_MS)
  await session.check('PreToolUse')
  const facts = { sessionId: session.id, transcript: session.transcript.file, cwd: session.cwd }
  const payload = JSON.stringify(
    toolPayload('PostToolUse', facts, { id: 'toolu_1', tool: 'Bash', input: { command: ':' } }),
  )
  return { repo, session, payload }
}

/** Starts the front with a Node that prints what it was handed. */
function handedOver(world: World, payload: string, env: Record<string, string> = {}): Buffer | undefined {
  const program = lonelyFront(world)
  writeFileSync(
    join(world.folder, 'lonely/dist/node'),
    `#!/bin/sh\nfd=\${${SCAN_NAME}%%:*}\nif [ -n "$fd" ]; then cat /proc/self/fd/$fd; else printf none; fi\n`,
  )
  const ran = spawnSync(program, ['investigate-gate'], {
    input: payload,
    env: { ...world.env, ...env },
    cwd: world.home,
  })
  expect(ran.stderr.toString()).toBe('')
  return ran.stdout.toString() === 'none' ? undefined : ran.stdout
}

/** The hook without the front, with a scan that lies in a file. */
function runWith(world: World, payload: string, scan: Buffer): string {
  const file = join(world.folder, 'scan')
  writeFileSync(file, scan)
  const descriptor = openSync(file, 'r')
  const ran = spawnSync(process.execPath, [join(PACKAGE, 'dist/hook.js'), 'investigate-gate'], {
    input: payload,
    env: { ...world.env, [SCAN_NAME]: '3:999999999' },
    cwd: world.home,
    stdio: ['pipe', 'pipe', 'pipe', descriptor],
  })
  closeSync(descriptor)
  return ran.output[1]?.toString() ?? ''
}

describe.runIf(IS_LINUX)('what the front hands over', () => {
  test('names every path that differs', async ({ world }) => {
    const { repo, payload } = await certified(world)
    for (const name of ['f01.js', 'f20.js', 'f40.js']) repo.append(name, 'fix\n')

    const scan = handedOver(world, payload)?.toString('latin1') ?? ''

    expect(scan.match(/f\d\d\.js/g)).toEqual(['f01.js', 'f20.js', 'f40.js'])
  })

  test('is nothing where something else has changed, whoever says so', async ({ world }) => {
    const { repo, payload } = await certified(world)
    repo.append('f01.js', 'fix\n')
    repo.git('branch', 'other')

    expect(handedOver(world, payload, { [SCAN_NAME]: '0:1' })).toBeUndefined()
  })

  test('is taken for what it is: the change is put back', async ({ world }) => {
    const { repo, session } = await certified(world)
    repo.append('f20.js', 'fix\n')

    const answer = await session.check('PostToolUse')

    expect(answer.decision, answer.stderr).toBe('block')
    expect(repo.read('f20.js')).not.toContain('fix')
  })
})

describe.runIf(IS_LINUX)('a scan hides no change', () => {
  test.for<[string, (scan: Buffer, root: string) => Buffer]>([
    ['that is cut off', (scan) => scan.subarray(0, -1)],
    ['that is empty', () => Buffer.alloc(0)],
    ['that is none', () => Buffer.from('gsfs, or not')],
    ['of other pins', (scan) => Buffer.from(scan.toString('latin1').replace('/table-', '/other-'), 'latin1')],
    [
      'of another tree',
      (scan, root) => Buffer.from(scan.toString('latin1').replace(root, `${root.slice(0, -1)}%`), 'latin1'),
    ],
  ])('%s', async ([, damage], { world }) => {
    const { repo, session, payload } = await certified(world)
    repo.append('f01.js', 'fix\n')
    const scan = handedOver(world, payload) ?? Buffer.alloc(0)
    const damaged = damage(scan, session.cwd)
    expect(damaged.equals(scan)).toBe(false)
    repo.append('f02.js', 'another fix\n')

    const answer = runWith(world, payload, damaged)

    expect(answer).toContain('"decision":"block"')
    expect(repo.read('f02.js')).not.toContain('another fix')
  })
})

test.runIf(IS_LINUX)('any part of a scan is refused, and none crashes the addon', async ({ world }) => {
  const { repo, payload } = await certified(world)
  repo.append('f01.js', 'fix\n')
  const scan = handedOver(world, payload) ?? Buffer.alloc(0)
  const file = join(world.folder, 'part')
  const taken = async (bytes: Buffer) => {
    writeFileSync(file, bytes)
    return await native()
      .takeScan(openSync(file, 'r'), 999_999_999)
      .then(
        () => 'taken',
        (error: unknown) => (error as { code: string }).code,
      )
  }

  expect(await taken(scan)).toBe('taken')
  for (let at = 0; at < scan.length; at++) {
    expect(await taken(scan.subarray(0, at))).toBe('EBADTABLE')
    const turned = Buffer.from(scan)
    turned[at] = (turned[at] ?? 0) ^ 0xff
    expect(['taken', 'EBADTABLE']).toContain(await taken(turned))
  }
})
