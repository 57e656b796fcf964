import {
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { PACKAGE, test, type World } from '../../helpers/world.ts'
import { machine } from './machine.ts'

describe('gstack’s small programs', () => {
  const linkOf = (world: World, name = 'gstack-config') => join(world.home, '.local/bin', name)

  test('are linked where there are none, once', async ({ world }) => {
    const { setup, env } = machine(world)

    const first = await setup('--skill-routing')
    const second = await setup('--skill-routing')

    expect(first.stdout.match(/^linked /gm)).toHaveLength(3)
    expect(second.stdout).toBe('')
    const ran = await world.run(linkOf(world), ['get', 'skill_routing'], { env })
    expect(ran.stdout).toBe('on')
  })

  test('are not linked where gstack has its own', async ({ world }) => {
    const { setup } = machine(world)
    const own = join(world.configDir, 'skills/gstack/bin')
    mkdirSync(own, { recursive: true })
    writeFileSync(join(own, 'gstack-config'), '')

    await setup('--skill-routing')

    expect(readdirSync(join(world.home, '.local/bin')).sort()).toEqual(['gstack-session-kind', 'gstack-slug'])
  })

  test('are not linked over somebody else’s, nor beside one on PATH', async ({ world }) => {
    const { setup, env } = machine(world)
    const folder = join(world.folder, 'tools')
    mkdirSync(folder)
    writeFileSync(join(folder, 'gstack-slug'), '')
    env['PATH'] = `${env['PATH'] ?? ''}:${folder}`
    mkdirSync(join(world.home, '.local/bin'), { recursive: true })
    writeFileSync(linkOf(world), 'mine')

    await setup('--skill-routing')

    expect(readFileSync(linkOf(world), 'utf8')).toBe('mine')
    expect(existsSync(linkOf(world, 'gstack-slug'))).toBe(false)
  })

  test('follow a package that has moved', async ({ world }) => {
    const { setup } = machine(world)
    mkdirSync(join(world.home, '.local/bin'), { recursive: true })
    symlinkSync('/gone/bin/gstack-config', linkOf(world))

    await setup('--skill-routing')

    expect(readlinkSync(linkOf(world))).toBe(join(PACKAGE, 'bin/gstack-config'))
  })
})
