/** What reaches Node when the front is not sure. Needs the build. */

import { createHash } from 'node:crypto'
import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect } from 'vitest'
import { lonelyFront } from '../../helpers/lonely-front.ts'
import { test, type World } from '../../helpers/world.ts'

/** A Node side that says what it got. */
const ECHO = `
const bytes = require('node:fs').readFileSync(0)
const sha1 = require('node:crypto').createHash('sha1').update(bytes).digest('hex')
const { NODE_OPTIONS, NODE_EXTRA_CA_CERTS, KEPT } = process.env
const said = { size: bytes.length, sha1, args: process.argv.slice(2), NODE_OPTIONS, NODE_EXTRA_CA_CERTS, KEPT }
process.stdout.write(JSON.stringify(said))
`

function echoingFront(world: World, code = ECHO): string {
  const program = lonelyFront(world)
  const dist = join(dirname(program), '../dist')
  writeFileSync(join(dist, 'hook.js'), code)
  writeFileSync(join(dist, 'node-path'), `${process.execPath}\n`)
  return program
}

const sha1 = (bytes: string | Buffer) => createHash('sha1').update(bytes).digest('hex')

test.for([0, 1, 65_536, 1024 * 1024 - 1, 1024 * 1024, 1024 * 1024 + 1, 5_000_000, 30_000_000])(
  'the whole input of %i bytes',
  async (size, { world }) => {
    const input = Buffer.alloc(size, 'payload ')

    const ran = await world.run(echoingFront(world), ['skill-route'], { input })

    expect(JSON.parse(ran.stdout)).toMatchObject({ size, sha1: sha1(input), args: ['skill-route'] })
  },
)

test('an input that is a file, from where it was', async ({ world }) => {
  const file = join(world.folder, 'input')
  writeFileSync(file, `first line\n${'x'.repeat(100_000)}`)
  const script = `exec <'${file}'; read -r first; exec '${echoingFront(world)}' skill-route`

  const ran = await world.run('bash', ['-c', script])

  const { size } = JSON.parse(ran.stdout) as { size: number }
  expect(size).toBe(100_000)
})

test('an input that comes slowly', async ({ world }) => {
  const script = `(printf abc; sleep 0.2; printf def) | '${echoingFront(world)}' skill-route`

  const ran = await world.run('bash', ['-c', script])

  expect(JSON.parse(ran.stdout)).toMatchObject({ size: 6, sha1: sha1('abcdef') })
})

test('a closed input stays closed', async ({ world }) => {
  const program = echoingFront(world, `process.stdout.write('started')`)

  const ran = await world.run('/bin/sh', ['-c', `exec '${program}' skill-route <&-`])

  expect(ran).toMatchObject({ exitCode: 0, stdout: 'started' })
})

test('all arguments, and an environment without what slows Node down', async ({ world }) => {
  const env = {
    ...world.env,
    NODE_OPTIONS: '--no-such-option',
    NODE_EXTRA_CA_CERTS: '/nowhere',
    KEPT: 'kept',
  }

  const ran = await world.run(echoingFront(world), ['one', 'two words', ''], { input: '{}', env })

  const said = JSON.parse(ran.stdout) as Record<string, unknown>
  expect(said).toMatchObject({ args: ['one', 'two words', ''], KEPT: 'kept' })
  expect(said).not.toHaveProperty('NODE_OPTIONS')
  expect(said).not.toHaveProperty('NODE_EXTRA_CA_CERTS')
})

test('through a link to the command', async ({ world }) => {
  symlinkSync(echoingFront(world), join(world.folder, 'linked'))

  const ran = await world.run(join(world.folder, 'linked'), ['skill-route'], { input: '{}' })

  expect(JSON.parse(ran.stdout)).toMatchObject({ size: 2 })
})

test('by the Node on PATH when the one of the build is gone', async ({ world }) => {
  const program = echoingFront(world)
  const recorded = join(dirname(program), '../dist/node-path')
  const onPath = join(world.folder, 'path')
  const node = process.execPath
  writeFileSync(recorded, '/nowhere/node\n')
  await world.run('mkdir', [onPath])
  symlinkSync(node, join(onPath, 'node'))

  const found = await world.run(program, ['skill-route'], {
    input: '{}',
    env: { ...world.env, PATH: `/none:${onPath}` },
  })
  const none = await world.run(program, ['skill-route'], {
    input: '{}',
    env: { ...world.env, PATH: '/none' },
  })

  expect(JSON.parse(found.stdout)).toMatchObject({ size: 2 })
  expect(none).toMatchObject({ exitCode: 0, stdout: '', stderr: expect.stringContaining('no Node on PATH') })
})

test('nothing without the build; the call goes through and it says what to do', async ({ world }) => {
  const program = echoingFront(world)
  rmSync(join(dirname(program), '../dist'), { recursive: true })

  const ran = await world.run(program, ['investigate-gate'], { input: '{}' })

  expect(ran).toMatchObject({ exitCode: 0, stdout: '', stderr: expect.stringContaining('run ./setup') })
})

test('a Node that cannot be started lets the call through', async ({ world }) => {
  const program = echoingFront(world)
  const broken = join(world.folder, 'broken-node')
  writeFileSync(broken, '\u007fELF')
  chmodSync(broken, 0o755)
  writeFileSync(join(dirname(program), '../dist/node-path'), `${broken}\n`)

  const ran = await world.run(program, ['investigate-gate'], { input: '{}' })

  expect(ran).toMatchObject({ exitCode: 0, stdout: '', stderr: expect.stringContaining('run ./setup') })
})
