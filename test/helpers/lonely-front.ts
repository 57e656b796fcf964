/** The front in a package whose Node side only says that it was started: what it answers by itself is silence. */

import { cpSync, existsSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { HookEvent } from './payload.ts'
import type { HookCall, Session } from './session.ts'
import { PACKAGE, type RunOptions, type World } from './world.ts'

const SAYS = '{"started":"node"}'

/** Path of its hook. */
export function lonelyFront(world: Pick<World, 'folder'>): string {
  const at = join(world.folder, 'lonely')
  const program = join(at, 'bin/gstack-hook')
  if (existsSync(program)) return program
  mkdirSync(join(at, 'bin'), { recursive: true })
  mkdirSync(join(at, 'dist'))
  // A shell stands in for Node, since it starts in a fraction of the time.
  const node = join(at, 'dist/node')
  writeFileSync(node, `#!/bin/sh\nprintf %s '${SAYS}'\n`, { mode: 0o755 })
  writeFileSync(join(at, 'dist/node-path'), `${node}\n`)
  writeFileSync(join(at, 'dist/hook.js'), '')
  cpSync(join(PACKAGE, 'bin/gstack-hook'), program)
  return program
}

/** Whether the front answers a call without Node. */
export async function isLeftAlone(world: World, hook: string, options: RunOptions): Promise<boolean> {
  const ran = await world.run(lonelyFront(world), [hook], options)
  if (ran.exitCode === 0 && ran.stderr === '' && (ran.stdout === '' || ran.stdout === SAYS))
    return ran.stdout === ''
  throw new Error(`the front failed: ${String(ran.exitCode)} ${ran.stdout}${ran.stderr}`)
}

/** Who answers this call of a session: the front, or Node. */
export async function whoAnswers(
  world: World,
  session: Session,
  event: HookEvent = 'PreToolUse',
  call: HookCall = {},
): Promise<'front' | 'node'> {
  const run = { ...call.run, program: lonelyFront(world) }
  const answer = await session.hook(event, { recorded: false, ...call, run })
  return answer.json === undefined ? 'front' : 'node'
}
