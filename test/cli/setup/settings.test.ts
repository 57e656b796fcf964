import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from '../../helpers/world.ts'
import { machine } from './machine.ts'

describe('settings.json', () => {
  test('with a timeout of 10 has 25 after another run, and nothing else changes', async ({ world }) => {
    const { setup, settings, read } = machine(world)
    await setup('--investigate-gate')
    const right = read()
    const other = right.replace('"hooks": {', '"model": "opus",\n  "hooks": {')
    writeFileSync(settings, other.replaceAll('"timeout": 25', '"timeout": 10'))

    const ran = await setup()

    expect(ran.stdout).toBe(`updated investigate-gate in ${settings}\n`)
    expect(read()).toBe(other)
  })

  test('that does not parse is left alone, and nothing is saved', async ({ world }) => {
    const { setup, settings, read } = machine(world)
    writeFileSync(settings, '{ "model": "opus", }')

    const ran = await setup('--investigate-gate')

    expect(ran.exitCode).toBe(1)
    expect(ran.stdout).toBe('')
    expect(ran.stderr).toContain(`SETUP_FAILED ${settings} was left as it is: line 1, column 20`)
    expect(read()).toBe('{ "model": "opus", }')
    expect(existsSync(join(world.stateRoot, 'config.yaml'))).toBe(false)
  })

  test('is written by twenty runs at once as by one', async ({ world }) => {
    const { setup, settings, read, config } = machine(world)
    writeFileSync(settings, '{\n  "model": "opus"\n}\n')
    const flags = ['--skill-routing', '--skill-contracts', '--investigate-gate', '--ceo-review-gate']

    const runs = await Promise.all(Array.from({ length: 20 }, (_, index) => setup(flags[index % 4] ?? '')))

    expect(runs.map(({ exitCode, stderr }) => [exitCode, stderr])).toEqual(runs.map(() => [0, '']))
    expect(config().match(/: on$/gm)).toHaveLength(4)
    await setup()
    expect(JSON.parse(read())).toMatchObject({ model: 'opus' })
    expect(read().match(/gstack-hook/g)).toHaveLength(8)
    expect(readdirSync(world.configDir).filter((name) => name.endsWith('.lock'))).toEqual([])
  })

  test('named by GSTACK_SETTINGS_FILE is the one that is edited', async ({ world }) => {
    const { setup, env, settings } = machine(world)
    env['GSTACK_SETTINGS_FILE'] = join(world.folder, 'mine.json')

    await setup('--skill-routing')

    expect(readFileSync(join(world.folder, 'mine.json'), 'utf8')).toContain('skill-route')
    expect(existsSync(settings)).toBe(false)
  })
})

test('--dry-run prints a diff and writes nothing', async ({ world }) => {
  const { setup, settings, read } = machine(world)
  writeFileSync(settings, '{\n  "model": "opus"\n}\n')

  const ran = await setup('--skill-routing', '--dry-run')

  expect(ran.stdout).toContain(
    '@@ -1,3 +1,16 @@\n {\n-  "model": "opus"\n+  "model": "opus",\n+  "hooks": {\n',
  )
  expect(read()).toBe('{\n  "model": "opus"\n}\n')
  expect(readdirSync(world.stateRoot)).toEqual([])
  expect(existsSync(join(world.home, '.local'))).toBe(false)
})

test('--no-team removes the registrations and keeps the switches', async ({ world }) => {
  const { setup, settings, config } = machine(world)
  await setup('--skill-routing', '--investigate-gate')

  await setup('--no-team')

  expect(existsSync(settings)).toBe(false)
  expect(config()).toContain('skill_routing: on')
})

test('--uninstall leaves settings.json as it was before, to the byte', async ({ world }) => {
  const { setup, settings, read } = machine(world)
  const before = '{ "hooks": { "Stop": [] },\n "model": "opus" }'
  writeFileSync(settings, before)
  await setup('--skill-routing', '--investigate-gate', '--ceo-review-gate', '--skill-contracts')
  await setup('--no-investigate-gate')

  await setup('--uninstall')

  expect(read()).toBe(before)
  expect(existsSync(join(world.home, '.local/bin/gstack-config'))).toBe(false)
})
