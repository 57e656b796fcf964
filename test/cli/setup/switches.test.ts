import { existsSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { test } from '../../helpers/world.ts'
import { machine } from './machine.ts'

describe('a flag', () => {
  test('is saved and registers its hook, with one line for each change', async ({ world }) => {
    const { setup, settings, config, commands } = machine(world)

    const ran = await setup('--skill-routing')

    expect(ran).toMatchObject({ exitCode: 0, stderr: '' })
    expect(ran.stdout.split('\n').slice(0, 2)).toEqual([
      `saved skill_routing: on in ${join(world.stateRoot, 'config.yaml')}`,
      `registered skill-route in ${settings}`,
    ])
    expect(config()).toContain('\nskill_routing: on\n')
    expect(commands()).toEqual(['skill-route'])
  })

  for (const [flags, hooks] of [
    ['--skill-contracts=on', ['skill-contract']],
    ['--skill-contracts=yes --skill-routing=OFF', ['skill-contract']],
    ['--ceo-review-gate', ['ceo-review-gate', 'ceo-review-gate']],
    ['--investigate-gate=1', Array.from({ length: 4 }, () => 'investigate-gate')],
  ] as const)
    test(`${flags} registers ${hooks[0]}`, async ({ world }) => {
      const { setup, commands } = machine(world)

      await setup(...flags.split(' '))

      expect(commands()).toEqual(hooks)
    })

  test('with another word warns, means the default, and is not saved', async ({ world }) => {
    const { setup, settings } = machine(world)

    const ran = await setup('--skill-routing=maybe')

    expect(ran.exitCode).toBe(0)
    expect(ran.stderr).toBe('setup: skill_routing is "maybe", neither on nor off; taken as off, not saved\n')
    expect(existsSync(join(world.stateRoot, 'config.yaml'))).toBe(false)
    expect(existsSync(settings)).toBe(false)
  })

  test('that turns a switch off removes its hook', async ({ world }) => {
    const { setup, settings, config } = machine(world)
    await setup('--skill-routing')

    const ran = await setup('--no-skill-routing')

    expect(ran.stdout).toContain(`removed skill-route from ${settings}`)
    expect(config()).toContain('skill_routing: off')
    expect(existsSync(settings)).toBe(false)
  })

  test('wins over environment and config', async ({ world }) => {
    const { setup, env, commands } = machine(world)
    env['GSTACK_SKILL_ROUTING'] = 'off'
    writeFileSync(join(world.stateRoot, 'config.yaml'), 'skill_routing: off\n')

    await setup('--skill-routing')

    expect(commands()).toEqual(['skill-route'])
  })
})

describe('without a flag', () => {
  test('the environment decides and is not saved', async ({ world }) => {
    const { setup, env, commands } = machine(world)
    env['GSTACK_SKILL_CONTRACTS'] = 'on'

    await setup()

    expect(commands()).toEqual(['skill-contract'])
    expect(existsSync(join(world.stateRoot, 'config.yaml'))).toBe(false)
  })

  test('config decides', async ({ world }) => {
    const { setup, commands } = machine(world)
    writeFileSync(join(world.stateRoot, 'config.yaml'), 'ceo_review_gate: on\n')

    await setup()

    expect(commands()).toEqual(['ceo-review-gate', 'ceo-review-gate'])
  })

  test('an unreadable config file is told, and means off', async ({ world }) => {
    const { setup, settings } = machine(world)
    await setup('--skill-routing')
    const config = join(world.stateRoot, 'config.yaml')
    rmSync(config)
    mkdirSync(config)

    const ran = await setup()

    expect(ran.stderr).toContain('skill_routing is off, since config.yaml cannot be read')
    expect(existsSync(settings)).toBe(false)
  })

  test('a second run says and changes nothing', async ({ world }) => {
    const { setup, read } = machine(world)
    await setup('--investigate-gate', '--skill-contracts')
    const before = read()

    const ran = await setup('--investigate-gate', '--skill-contracts')

    expect(ran).toMatchObject({ exitCode: 0, stdout: '', stderr: '' })
    expect(read()).toBe(before)
  })
})
