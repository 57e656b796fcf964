import { wasRefused, type TimedOutHook } from '../transcript/timed-out.ts'
import { finishKilledPasses } from '../effects/finish-killed.ts'
import type { HookCall } from './call.ts'

/**
 * Files hooks that were killed: those whose marks are found, and those that the client noted.
 *
 * @returns the lines that ride systemMessage
 */
export async function fileKills(
  call: HookCall,
  timedOut: readonly TimedOutHook[],
): Promise<readonly string[]> {
  const found = await finishKilledPasses({ ...call, wasRefused })
  if (timedOut.length === 0) return found
  const { fileTimedOut } = await import('../effects/file-timed-out.ts')
  const { session } = call.payload
  return [...found, ...(await fileTimedOut(call, { session, hook: call.hook, kills: timedOut }))]
}
