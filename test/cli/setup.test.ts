import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { hookCommand } from '../../src/core/registration.ts'
import { PACKAGE, test, type World } from '../helpers/world.ts'

/** A machine where nothing is switched on. */
function machine(world: World) {
  const { GSTACK_INVESTIGATE_GATE: _gate, ...env } = world.env
  const settings = join(world.configDir, 'settings.json')
  return {
    env,
    settings,
    setup: (...args: string[]) =>
      world.run(join(PACKAGE, 'bin/gstack-skill-gates'), ['setup', ...args], { env, cwd: world.home }),
    read: () => readFileSync(settings, 'utf8'),
    commands: () =>
      [...readFileSync(settings, 'utf8').matchAll(/gstack-hook ([a-z-]+)/g)].map(([, hook]) => hook),
    config: () => readFileSync(join(world.stateRoot, 'config.yaml'), 'utf8'),
  }
}

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

describe('an install path with blanks, quotes, parentheses and a dollar sign', () => {
  const NAME = `My Tools (v2) $HOME 'q' "d"`

  function install(world: World): string {
    const at = join(world.folder, NAME)
    for (const name of ['bin', 'dist', 'package.json'])
      cpSync(join(PACKAGE, name), join(at, name), { recursive: true })
    return at
  }

  test('is registered so that every command starts the hook, and is known again', async ({ world }) => {
    const { env, read } = machine(world)
    const at = install(world)
    const setup = () =>
      world.run(join(at, 'bin/gstack-skill-gates'), ['setup', '--investigate-gate', '--skill-routing'], {
        env,
      })

    await setup()
    const once = read()
    await setup()

    expect(read()).toBe(once)
    expect(once).toContain(JSON.stringify(hookCommand(at, 'skill-route')))
    for (const [, command] of once.matchAll(/"command": (".*")/g)) {
      const ran = await world.run('/bin/sh', ['-c', JSON.parse(command ?? '') as string], {
        env,
        input: '{}',
      })
      expect(ran.exitCode).toBe(0)
      expect(ran.stderr).not.toMatch(/not found|No such file/)
    }
  })

  test('a launcher that cannot be run is not registered', async ({ world }) => {
    const { env, settings } = machine(world)
    const at = install(world)
    chmodSync(join(at, 'bin/gstack-hook'), 0o644)

    const ran = await world.run(join(at, 'bin/gstack-skill-gates'), ['setup', '--skill-routing'], { env })

    expect(ran.exitCode).toBe(1)
    expect(ran.stderr).toContain('SETUP_FAILED nothing is registered')
    expect(existsSync(settings)).toBe(false)
  })
})
