import type { KilledPass } from '../effects/recover.ts'
import { keptDir } from '../store/kept.ts'
import { sessionDirOf } from '../store/paths.ts'
import { updateRecord } from '../store/record.ts'
import { announce } from './announce.ts'
import type { HookCall } from './call.ts'
import { errorMarker, withError } from './errors.ts'

/**
 * Files passes that were killed, each with the session and gate it belonged to.
 *
 * @returns the lines that ride systemMessage
 */
export async function fileKilled(
  call: Pick<HookCall, 'paths' | 'now' | 'deadline'>,
  killed: readonly KilledPass[],
): Promise<readonly string[]> {
  const lines: string[] = []
  for (const { session, hook, event, files } of killed) {
    const midway =
      files === 0
        ? ''
        : `; it was putting back ${String(files)} files, copies are in ${keptDir(sessionDirOf(call.paths, session))}`
    const why = `a ${event} hook was killed before it had answered${midway}`
    await updateRecord({ paths: call.paths, session, now: call.now(), deadline: call.deadline }, (record) =>
      withError(record, hook, { code: 'GATE_KILLED', why, at: call.now(), unchecked: 1 }),
    )
    lines.push(...announce({ ...call, hook }, [errorMarker({ hook, session }, 'GATE_KILLED', why)]))
  }
  return lines
}
