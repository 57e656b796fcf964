import { setTimeout as sleep } from 'node:timers/promises'
import type { Deadline } from '../../core/deadline.ts'
import { GateError } from '../../core/errors.ts'
import type { SavedReading } from '../../store/contract-reading.ts'
import type { TranscriptMark } from '../../store/transcript-file.ts'
import { readTranscriptLines } from '../../store/transcript-lines.ts'
import { hasKnownShape, textNotIn } from '../../transcript/contract-run.ts'
import { readEvents, type TranscriptEvent } from '../../transcript/event.ts'
import { unpackEvents } from '../../transcript/packed-event.ts'

/** The client writes a turn's last message some 20 to 60 ms after it calls the Stop hook. */
const LATE_MESSAGE_MS = 250
const POLL_MS = 25

export interface SessionReading {
  readonly events: readonly TranscriptEvent[]
  /** Those of whole lines, of which there are `lines` up to `mark`. */
  readonly whole: readonly TranscriptEvent[]
  readonly lines: number
  readonly mark: TranscriptMark
  /** How much of the file was read for it. */
  readonly readBytes: number
}

/**
 * Reads a session's events, and waits a moment for a last message that is not in the file yet: the payload has only its
 * last text block.
 *
 * @param saved what an earlier stop read, where the file only grew since
 * @throws GateError SKILL_CONTRACT_STATE_ERROR, or SKILL_CONTRACT_UNKNOWN_SHAPE when no parser of ours knows the file
 */
export async function readSession(
  file: string,
  lastText: string | undefined,
  deadline: Deadline,
  saved?: SavedReading,
): Promise<SessionReading> {
  let reading = readOn(file, saved === undefined ? NOTHING_READ : startAt(saved))
  if (!hasKnownShape(reading.events))
    throw new GateError('SKILL_CONTRACT_UNKNOWN_SHAPE', `${file}: it is no transcript of a known shape`)

  const giveUpAtMs = deadline.remaining() - LATE_MESSAGE_MS
  while (
    textNotIn(reading.events, lastText) !== undefined &&
    deadline.remaining() > Math.max(giveUpAtMs, POLL_MS)
  ) {
    await sleep(POLL_MS)
    reading = readOn(file, reading)
  }
  return reading
}

type Start = Pick<SessionReading, 'whole' | 'lines' | 'readBytes'> & { readonly mark?: TranscriptMark }

const NOTHING_READ: Start = { whole: [], lines: 0, readBytes: 0 }

const startAt = ({ events, lines, mark }: SavedReading): Start => ({
  whole: unpackEvents(events),
  lines,
  mark,
  readBytes: 0,
})

/** Events of a last line that was not whole yet are read again with the rest of it. */
function readOn(file: string, start: Start): SessionReading {
  const read = readTranscriptLines(file, start.mark)
  const { whole: before, lines: first, readBytes, mark } = read.restarted ? NOTHING_READ : start
  const lines = first + read.wholeLines
  const events = [...before, ...read.lines.flatMap((text, index) => readEvents(text, first + index))]
  return {
    events,
    whole: events.filter(({ line }) => line < lines),
    lines,
    mark: read.mark,
    readBytes: readBytes + read.mark.offset - (mark?.offset ?? 0),
  }
}
