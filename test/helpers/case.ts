/**
 * The public cases as they are written: a shell script makes the state the user is in, the gate arms, another script
 * acts, and each case with file changes runs once through every kind of check.
 */
import { armIn, type Armed } from './armed.ts'
import type { World } from './world.ts'

export const CASE_CHECKS = ['PostToolUse', 'PreToolUse', 'Stop'] as const

/** The cases keep the machine's git configuration out by environment, which hooks then see as well. */
export function chooseCaseEnvironment(world: World): void {
  world.env['GIT_CONFIG_GLOBAL'] = '/dev/null'
  world.env['GIT_CONFIG_SYSTEM'] = '/dev/null'
}

export async function armCase(world: World, setup: string): Promise<Armed> {
  chooseCaseEnvironment(world)
  return await armIn(world, await world.shellRepo(setup))
}
