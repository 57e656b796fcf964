import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { PACKAGE, type World } from '../../helpers/world.ts'

/** A machine where nothing is switched on. */
export function machine(world: World) {
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
