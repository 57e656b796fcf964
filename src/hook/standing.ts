import { transcriptFact } from '../store/certificate.ts'
import type { TranscriptMark } from '../store/transcript-file.ts'
import { NO_ANSWER, type HookAnswer, type HookCall } from './call.ts'

/** The answer of a session in which nothing is to do until the skill's name is in the transcript again. */
export function standOnTranscript(call: HookCall, mark: TranscriptMark, skill: string): HookAnswer {
  const found = transcriptFact(call.payload.transcriptPath, mark, {
    words: [skill],
    forbidsCause: false,
  })
  if (found === undefined) return NO_ANSWER
  call.sheet.add(found)
  return { ...NO_ANSWER, holds: 'idle' }
}
