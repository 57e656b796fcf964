import { setTimeout as sleep } from 'node:timers/promises'
import type { Deadline } from '../../core/deadline.ts'
import { GateError } from '../../core/errors.ts'
import type { TranscriptMark } from '../../store/transcript-file.ts'
import { readTranscriptLines } from '../../store/transcript-lines.ts'
import { hasKnownShape, textNotIn } from '../../transcript/contract-run.ts'
import { readEvents, type TranscriptEvent } from '../../transcript/event.ts'

/** The client writes a turn's last message some 20 to 60 ms after it calls the Stop hook. */
const LATE_MESSAGE_MS = 250
const POLL_MS = 25

export interface ReadSession {
  readonly events: readonly TranscriptEvent[]
  /** Up to where they were read. */
  readonly mark: TranscriptMark
}

/**
 * Reads a session's events, and waits a moment for a last message that is not in the file yet: the payload has only its
 * last text block.
 *
 * @throws GateError SKILL_CONTRACT_STATE_ERROR, or SKILL_CONTRACT_UNKNOWN_SHAPE when no parser of ours knows the file
 */
export async function readSession(
  file: string,
  lastText: string | undefined,
  deadline: Deadline,
): Promise<ReadSession> {
  const first = readTranscriptLines(file)
  const events = first.lines.flatMap(readEvents)
  if (!hasKnownShape(events))
    throw new GateError('SKILL_CONTRACT_UNKNOWN_SHAPE', `${file}: it is no transcript of a known shape`)

  const giveUpAtMs = deadline.remaining() - LATE_MESSAGE_MS
  let { mark } = first
  // Events of a last line that was not whole yet are read again with the rest of it.
  let whole = events.filter(({ line }) => line < first.wholeLines)
  let wholeLines = first.wholeLines
  let all = events
  while (textNotIn(all, lastText) !== undefined && deadline.remaining() > Math.max(giveUpAtMs, POLL_MS)) {
    await sleep(POLL_MS)
    const more = readTranscriptLines(file, mark)
    if (more.lines.length === 0) continue
    const [before, offset] = [wholeLines, whole]
    all = [...offset, ...more.lines.flatMap((text, index) => readEvents(text, before + index))]
    wholeLines = before + more.wholeLines
    whole = all.filter(({ line }) => line < wholeLines)
    mark = more.mark
  }
  return { events: all, mark }
}
