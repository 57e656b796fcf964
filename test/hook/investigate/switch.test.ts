import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { armed } from '../../helpers/armed.ts'
import { test, type World } from '../../helpers/world.ts'

describe('the switch', () => {
  const isOn = async (world: World) => {
    world.repo('plain')
    return (await world.session().loads('investigate').arm()).stdout !== ''
  }

  test('is off by default', async ({ world }) => {
    Reflect.deleteProperty(world.env, 'GSTACK_INVESTIGATE_GATE')

    expect(await isOn(world)).toBe(false)
  })

  test('is on by config', async ({ world }) => {
    Reflect.deleteProperty(world.env, 'GSTACK_INVESTIGATE_GATE')
    writeFileSync(join(world.stateRoot, 'config.yaml'), 'investigate_gate: off\ninvestigate_gate: yes\n')

    expect(await isOn(world)).toBe(true)
  })

  test('follows the environment before the config', async ({ world }) => {
    world.env['GSTACK_INVESTIGATE_GATE'] = 'OFF'
    writeFileSync(join(world.stateRoot, 'config.yaml'), 'investigate_gate: on\n')

    expect(await isOn(world)).toBe(false)
  })

  test('takes the default for a word that is neither on nor off', async ({ world }) => {
    world.env['GSTACK_INVESTIGATE_GATE'] = 'maybe'
    writeFileSync(join(world.stateRoot, 'config.yaml'), 'investigate_gate: on\n')

    expect(await isOn(world)).toBe(false)
  })

  test('is off when the config cannot be read', async ({ world }) => {
    Reflect.deleteProperty(world.env, 'GSTACK_INVESTIGATE_GATE')
    mkdirSync(join(world.stateRoot, 'config.yaml'))

    expect(await isOn(world)).toBe(false)
  })

  test('takes effect at the next call', async ({ world }) => {
    Reflect.deleteProperty(world.env, 'GSTACK_INVESTIGATE_GATE')
    writeFileSync(join(world.stateRoot, 'config.yaml'), 'investigate_gate: on\n')
    const { repo, session } = await armed(world)
    writeFileSync(join(world.stateRoot, 'config.yaml'), 'investigate_gate: off\n')

    const answer = await session.edit(repo.path('src/cart.js'), 'fixed\n')

    expect(answer.decision).toBeUndefined()
  })
})
