import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test, type World } from '../helpers/world.ts'

const configFile = (world: World) => join(world.stateRoot, 'config.yaml')
const config = (world: World, ...args: string[]) => world.program('gstack-config', ...args)

describe('get', () => {
  test('prints the value without a newline', async ({ world }) => {
    writeFileSync(configFile(world), 'telemetry: off\ntelemetry: community\n')

    expect(await config(world, 'get', 'telemetry')).toMatchObject({ exitCode: 0, stdout: 'community' })
  })

  test('prints the default of a switch', async ({ world }) => {
    expect(await config(world, 'get', 'skill_routing')).toMatchObject({ exitCode: 0, stdout: 'off' })
  })

  test('of an unknown key prints nothing and exits 1, so that callers can fall back', async ({ world }) => {
    expect(await config(world, 'get', 'telemetry')).toMatchObject({ exitCode: 1, stdout: '', stderr: '' })
  })
})

describe('set', () => {
  test('leaves other lines untouched and prints nothing', async ({ world }) => {
    writeFileSync(configFile(world), '# mine\ntelemetry: off # why\n\nskill_routing: off\n')

    expect(await config(world, 'set', 'skill_routing', 'on')).toMatchObject({
      exitCode: 0,
      stdout: '',
      stderr: '',
    })
    expect(readFileSync(configFile(world), 'utf8')).toBe(
      '# mine\ntelemetry: off # why\n\nskill_routing: on\n',
    )
  })

  test('takes keys that are not ours, an endpoint too', async ({ world }) => {
    await config(world, 'set', 'gbrain_url@a1b2', 'http://localhost')

    expect((await config(world, 'get', 'gbrain_url@a1b2')).stdout).toBe('http://localhost')
  })

  test('refuses a value that a switch does not know, and keeps the old one', async ({ world }) => {
    writeFileSync(configFile(world), 'skill_routing: on\n')

    const ran = await config(world, 'set', 'skill_routing', 'maybe')

    expect(ran.exitCode).toBe(1)
    expect(ran.stderr).toContain('CONFIG_ERROR skill_routing takes on or off, not maybe')
    expect(readFileSync(configFile(world), 'utf8')).toBe('skill_routing: on\n')
  })

  for (const args of [['a b', 'c'], ['a-b', 'c'], ['', 'c'], ['a', ''], ['a', ' \n'], ['a']])
    test(`refuses ${JSON.stringify(args)}`, async ({ world }) => {
      expect((await config(world, 'set', ...args)).exitCode).toBe(1)
      expect(readdirSync(world.stateRoot)).toEqual([])
    })

  test('run twenty times at once loses nothing', async ({ world }) => {
    const keys = Array.from({ length: 20 }, (_, index) => `key_${String(index)}`)

    const runs = await Promise.all(keys.map((key) => config(world, 'set', key, 'yes')))

    expect(runs.map(({ exitCode }) => exitCode)).toEqual(keys.map(() => 0))
    const lines = readFileSync(configFile(world), 'utf8').trimEnd().split('\n')
    expect(lines.filter((line) => line.startsWith('key_')).sort()).toEqual(
      keys.map((key) => `${key}: yes`).sort(),
    )
    expect(readdirSync(world.stateRoot)).toEqual(['config.yaml'])
  })
})

test('has is true for a key that is literally in the file', async ({ world }) => {
  writeFileSync(configFile(world), 'empty:\n# skill_routing: on\n')

  expect((await config(world, 'has', 'empty')).exitCode).toBe(0)
  expect((await config(world, 'has', 'skill_routing')).exitCode).toBe(1)
})

test('list prints the file and where each value comes from', async ({ world }) => {
  writeFileSync(configFile(world), 'telemetry: off\nskill_routing: on\n')

  expect((await config(world, 'list')).stdout).toMatchInlineSnapshot(`
    "telemetry: off
    skill_routing: on

    # values in effect, before flags and environment
      skill_routing:          on (set)
      skill_contracts:        off (default)
      investigate_gate:       off (default)
      ceo_review_gate:        off (default)
    "
  `)
})

test('defaults prints the only place where they stand', async ({ world }) => {
  expect((await config(world, 'defaults')).stdout).toMatchInlineSnapshot(`
    "# defaults
      skill_routing:          off
      skill_contracts:        off
      investigate_gate:       off
      ceo_review_gate:        off
    "
  `)
})

test('an unreadable file is an error that says what it means', async ({ world }) => {
  mkdirSync(configFile(world))

  for (const args of [['get', 'skill_routing'], ['list'], ['has', 'a'], ['set', 'a', 'b']]) {
    const ran = await config(world, ...args)
    expect(ran).toMatchObject({ exitCode: 1, stdout: '' })
    expect(ran.stderr).toContain('cannot be read')
  }
})
