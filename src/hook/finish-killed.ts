import type { HookCall } from './call.ts'

/**
 * Finishes what killed passes of any session left, and files each with its gate.
 *
 * @returns the lines that ride systemMessage
 */
export async function finishKilledPasses(call: HookCall): Promise<readonly string[]> {
  const { recoverKilledPasses } = await import('../effects/recover.ts')
  const killed = recoverKilledPasses(call.paths, call.now())
  if (killed.length === 0) return []
  const { fileKilled } = await import('./killed.ts')
  return await fileKilled(call, killed)
}
