import { startDeadline } from '../core/deadline.ts'
import { GateError, messageOf } from '../core/errors.ts'
import { findDeadPasses } from '../store/in-flight.ts'
import type { StatePaths } from '../store/paths.ts'
import type { CliContext } from './command.ts'

const FILING_MS = 5_000

/** What killed hooks left is finished first; what cannot be settled now is said and left to the next hook. */
export async function settleKilled(paths: StatePaths, context: CliContext): Promise<void> {
  if (findDeadPasses(paths).length === 0) return
  const { finishKilledPasses } = await import('../effects/finish-killed.ts')
  const deadline = startDeadline(FILING_MS, () => performance.now())
  try {
    await finishKilledPasses({ paths, now: () => new Date(), deadline })
  } catch (error) {
    if (!(error instanceof GateError)) throw error
    context.stderr(`a killed hook could not be settled: ${error.code} ${messageOf(error)}\n`)
  }
}
