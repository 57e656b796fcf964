import path from 'node:path'
import { GateError } from '../core/errors.ts'
import { isJson } from '../core/json.ts'
import { readSavedFacts, writeSavedFacts } from '../store/facts-file.ts'
import { readTranscript, type TranscriptMark } from '../store/transcript-file.ts'
import { readEvents } from '../transcript/event.ts'
import { FACTS_VERSION, NO_FACTS, type SessionFacts } from '../transcript/facts.ts'
import { foldEvents, type Speaker } from '../transcript/fold-facts.ts'

export interface FactsReading {
  readonly facts: SessionFacts
  /** A turn of a known shape was seen, so that no later line can make the transcript a stranger's. */
  readonly isKnownShape: boolean
  /** Facts up to the last whole line, as they may be saved. */
  readonly saved: { readonly facts: SessionFacts; readonly mark: TranscriptMark }
}

/**
 * Reads a transcript's facts, from where an earlier call left off when it saved them.
 *
 * @param source.factsFile undefined reads the whole file
 * @param source.unlessWithout words that every load of interest contains; a new transcript without them is not parsed
 * @param source.sinceMs leaves out what was written before
 * @param source.startFrom facts to begin with where nothing usable is saved
 * @throws GateError GATE_TRANSCRIPT when it is missing, too large, or in no line a shape that the parser knows
 */
export function readFacts(source: {
  readonly transcript: string
  readonly factsFile: string | undefined
  readonly speaker: Speaker
  readonly unlessWithout?: readonly string[]
  readonly startFrom?: SessionFacts
  readonly sinceMs?: number
}): FactsReading {
  const saved = usableFacts(source.factsFile)
  const read = readTranscript(source.transcript, saved?.mark)
  if (read.kind === 'missing')
    throw new GateError('GATE_TRANSCRIPT', `the transcript is missing: ${source.transcript}`)
  if (read.kind === 'too-large')
    throw new GateError('GATE_TRANSCRIPT', `the transcript is over 32 MiB: ${source.transcript}`)

  const before = saved === undefined || read.restarted ? (source.startFrom ?? NO_FACTS) : saved.facts
  const words = source.unlessWithout
  if (words !== undefined && before === NO_FACTS && !mentions([...read.lines, read.tail], words)) {
    const isKnownShape = hasKnownTurn(read.lines, source.transcript)
    return { facts: before, isKnownShape, saved: { facts: before, mark: read.mark } }
  }

  const whole = foldLines(before, read.lines, source)
  const facts = isJson(read.tail) ? foldLines(whole, [read.tail], source) : whole
  if (facts.turns === 0 && facts.unknownLines > 0) throw unknownShape(source.transcript)
  const saving = { facts: whole, mark: read.mark }
  return { facts, isKnownShape: whole.turns > 0, saved: saving }
}

/** Saves facts for the next call; a call that read less never overwrites one that read more. */
export function saveFacts(file: string, { saved }: FactsReading): void {
  const other = readSavedFacts(file)
  if (other !== undefined && other.mark.inode === saved.mark.inode && other.mark.offset >= saved.mark.offset)
    return
  writeSavedFacts(file, saved)
}

/** Where the client keeps the words of a subagent. */
export function agentTranscript(mainTranscript: string, agentId: string): string {
  const folder = mainTranscript.replace(/\.jsonl$/, '')
  return path.join(folder, 'subagents', `agent-${path.basename(agentId)}.jsonl`)
}

function usableFacts(file: string | undefined): { facts: SessionFacts; mark: TranscriptMark } | undefined {
  const saved = file === undefined ? undefined : readSavedFacts(file)
  const facts = saved?.facts as Partial<SessionFacts> | undefined
  if (saved === undefined || facts?.version !== FACTS_VERSION) return undefined
  return { facts: facts as SessionFacts, mark: saved.mark }
}

function foldLines(
  before: SessionFacts,
  lines: readonly string[],
  { speaker, sinceMs = 0 }: { readonly speaker: Speaker; readonly sinceMs?: number },
): SessionFacts {
  const first = before.line
  return lines.reduce((facts, text, index) => {
    const events = readEvents(text, first + index).filter(({ atMs }) => atMs === undefined || atMs >= sinceMs)
    return { ...foldEvents(facts, events, speaker), line: first + index + 1 }
  }, before)
}

/** Reads no further than the first turn that is understood. @throws GateError GATE_TRANSCRIPT when there are only others */
function hasKnownTurn(lines: readonly string[], transcript: string): boolean {
  let isStrange = false
  for (const [line, text] of lines.entries()) {
    const kinds = readEvents(text, line).map(({ kind }) => kind)
    if (kinds.some((kind) => kind !== 'unknown' && kind !== 'other')) return true
    isStrange ||= kinds.includes('unknown')
  }
  if (isStrange) throw unknownShape(transcript)
  return false
}

const unknownShape = (transcript: string): GateError =>
  new GateError('GATE_TRANSCRIPT', `no line has a shape that the parser knows: ${transcript}`)

const mentions = (lines: readonly string[], words: readonly string[]): boolean =>
  lines.some((line) => words.some((word) => line.includes(word)))
