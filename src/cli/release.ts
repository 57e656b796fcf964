/** `gstack-skill-gates release`: a person lets go of what the gates hold of one session. */

import { startDeadline } from '../core/deadline.ts'
import { ERROR_CODES, GateError } from '../core/errors.ts'
import type { SessionId } from '../core/ids.ts'
import type { GateHook } from '../core/marker.ts'
import { isHeld, RELEASED_BY_PERSON, type RunRecord, type SessionRecord } from '../core/record.ts'
import { announce } from '../effects/announce.ts'
import { listPinnedRoots, removePins } from '../store/baseline-file.ts'
import { sessionDirOf, statePathsFrom, type StatePaths } from '../store/paths.ts'
import { updateRecord } from '../store/record.ts'
import { withTreeLocks } from '../store/session-lock.ts'
import type { CommandCall } from './command.ts'
import { namedSession } from './sessions.ts'
import { elapsedMs } from '../native/clock.ts'

const WAIT_MS = 5_000

export async function release({ context, options, program }: CommandCall): Promise<number> {
  if ((context.env['CLAUDECODE'] ?? '') !== '')
    throw new GateError(
      'SKILL_GATES_USAGE',
      'release is for a person: run it in a terminal outside of Claude Code (CLAUDECODE is set here)',
    )
  const named = options['session']
  if (typeof named !== 'string') throw new GateError('SKILL_GATES_USAGE', 'name the session with --session')
  const paths = statePathsFrom(context.env, context.home)
  const session = namedSession(paths, named)
  const released = await releaseSession(paths, session)
  if (released.length === 0) {
    const { exit } = ERROR_CODES.GATE_NOT_ARMED
    context.stderr(`${program.name}: GATE_NOT_ARMED no gate holds session ${session}; nothing was released\n`)
    return exit
  }
  for (const { hook, run } of released)
    context.stdout(
      `released ${hook} of session ${session}: /${run.skill}, blocked ${String(run.blocked)} times\n`,
    )
  return 0
}

interface Released {
  readonly hook: GateHook
  readonly run: RunRecord
}

/** Under the locks of the guarded trees, so that no check that is at work puts back or pins once more. */
async function releaseSession(paths: StatePaths, session: SessionId): Promise<readonly Released[]> {
  const deadline = startDeadline(WAIT_MS, elapsedMs)
  const sessionDir = sessionDirOf(paths, session)
  const now = new Date()
  return await withTreeLocks(listPinnedRoots(sessionDir), deadline, async () => {
    let released: readonly Released[] = []
    await updateRecord({ paths, session, now, deadline }, (record) => {
      released = heldRuns(record)
      return withReleased(record, now)
    })
    if (released.length > 0) removePins(sessionDir)
    for (const { hook, run } of released)
      announce({ paths, hook, now: () => now }, [
        {
          hook,
          event: 'released',
          session,
          fields: [
            ['skill', run.skill],
            ['cause', RELEASED_BY_PERSON],
            ['blocked', run.blocked],
          ],
        },
      ])
    return released
  })
}

const heldRuns = ({ gates }: SessionRecord): readonly Released[] =>
  Object.entries(gates).flatMap(([hook, { runs }]) =>
    runs.filter(isHeld).map((run) => ({ hook: hook as GateHook, run })),
  )

function withReleased(record: SessionRecord, now: Date): SessionRecord {
  const gates = Object.entries(record.gates).map(([hook, gate]) => {
    const runs = gate.runs.map((run) =>
      isHeld(run)
        ? {
            ...run,
            released_at: now.toISOString(),
            released_by: 'person' as const,
            cause: RELEASED_BY_PERSON,
          }
        : run,
    )
    return [hook, { ...gate, runs }] as const
  })
  return { ...record, gates: Object.fromEntries(gates) }
}
