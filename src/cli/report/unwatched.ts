import { sessionDirOf, type StatePaths } from '../../store/paths.ts'
import { toSessionId } from '../../core/ids.ts'
import { gateOf, isHeld, type SessionRecord } from '../../core/record.ts'
import { EDIT_TOOLS } from '../../core/tools.ts'
import { lastCheckMs } from '../../store/baseline-file.ts'
import { linesOfTranscript } from '../../store/transcript-file.ts'
import { readEvents } from '../../transcript/event.ts'

/** Longer than any hook may take, so that a call that is being checked does not count. */
const GRACE_MS = 60_000
const GATED_TOOLS = new Set(['Bash', ...EDIT_TOOLS])

/** Gated calls that the transcript has after the last check of a held run: nobody asked the gate about them. */
export function unwatchedCalls(paths: StatePaths, record: SessionRecord): number {
  const run = gateOf(record, 'investigate-gate').runs.at(-1)
  const session = toSessionId(record.session)
  if (run === undefined || !isHeld(run) || session === undefined || record.transcript === undefined) return 0
  const checkedMs = Math.max(Date.parse(record.updated_at), lastCheckMs(sessionDirOf(paths, session)) ?? 0)
  const calls = linesOfTranscript(record.transcript)
    .filter((text) => text.includes('"tool_use"'))
    .flatMap((text, line) => readEvents(text, line))
    .filter((event) => event.kind === 'call' && GATED_TOOLS.has(event.tool) && !event.sidechain)
  return calls.filter(({ atMs }) => atMs !== undefined && atMs > checkedMs + GRACE_MS).length
}
