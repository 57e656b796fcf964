import { rmSync } from 'node:fs'

import type { CommandCall } from '../command.ts'
import { openStage } from './stage.ts'
import { playStory } from './story.ts'
import { makeWorld } from './world.ts'

/** @returns 1 when the gate did not do its job */
export async function demo({ context, options }: CommandCall): Promise<number> {
  const world = await makeWorld(context.env)
  const stage = openStage(context)
  context.stdout(
    `A small repository in ${world.root}, the /investigate gate on, a stand-in for Claude Code.\n`,
  )
  try {
    await playStory(stage, world, context.packageRoot)
  } finally {
    if (options['keep'] !== true) rmSync(world.root, { recursive: true, force: true })
  }

  const failed = stage.failures()
  const kept = options['keep'] === true ? ` The folder stays: ${world.root}` : ''
  const verdict =
    failed === 0
      ? 'The gate did its job.'
      : `The gate did not do its job: ${String(failed)} checks do not hold.`
  context.stdout(`\n${verdict}${kept}\n`)
  return failed === 0 ? 0 : 1
}
