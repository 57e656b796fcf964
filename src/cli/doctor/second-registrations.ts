import { listStoodBack } from '../../store/claims.ts'
import { statePathsFrom } from '../../store/paths.ts'
import type { CliContext } from '../command.ts'
import { note, type Finding } from './finding.ts'

const LOOK_BACK_MS = 7 * 24 * 3_600_000

/** Hooks that the client ran twice lately, from a plugin and a settings file, of which one stood back. */
export function checkSecondRegistrations({ env, home }: CliContext, now: Date): Finding[] {
  return listStoodBack(statePathsFrom(env, home))
    .filter(({ at }) => now.getTime() - at.getTime() < LOOK_BACK_MS)
    .map(({ hook, registration }) => {
      const [, place = '', folder = ''] = /^(\w+) (.*)$/s.exec(registration) ?? []
      const where = place === 'plugin' ? `as the plugin in ${folder}` : `by a settings file, from ${folder}`
      return note(hook, `it is registered a second time, ${where}; one of the two answers each call`)
    })
}
