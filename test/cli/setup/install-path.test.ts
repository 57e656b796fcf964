import { chmodSync, cpSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { hookCommand } from '../../../src/core/registration.ts'
import { PACKAGE, test, type World } from '../../helpers/world.ts'
import { machine } from './machine.ts'

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
