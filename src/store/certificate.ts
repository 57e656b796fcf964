/** Certificates on disk. `core/certificate.ts` has their format, `fact-sheet.ts` collects what stands in them. */

import { closeSync, fstatSync, readSync, statSync } from 'node:fs'
import path from 'node:path'
import {
  CERTIFICATE_HEADER_BYTES,
  certificateKind,
  certificateName,
  encodeCertificate,
  type CertificateKind,
  type Fact,
} from '../core/certificate.ts'
import type { SessionId } from '../core/ids.ts'
import type { HookName } from '../core/registration.ts'
import { FRONT_FOLDER } from '../core/state-names.ts'
import { sha1Of } from '../native/digest.ts'
import { openIfThere } from '../native/regular-file.ts'
import { writeAtomic } from './atomic.ts'
import { makeStateFolder, removeOlder } from './folder.ts'
import type { StatePaths } from './paths.ts'
import { identifyTranscript, type TranscriptMark } from './transcript-file.ts'

/**
 * The transcript as far as it was read.
 *
 * @param words of which none may follow
 * @returns undefined when another file stands there by now
 */
export function transcriptFact(
  file: string,
  mark: TranscriptMark,
  { words, forbidsCause }: { readonly words: readonly string[]; readonly forbidsCause: boolean },
): Fact | undefined {
  const found = identifyTranscript(file, mark)
  if (found === undefined) return undefined
  const { dev, ino, head } = found
  const headSha1 = sha1Of(head)
  const { offset, headBytes } = mark
  return { kind: 'transcript', path: file, dev, ino, offset, headBytes, headSha1, words, forbidsCause }
}

/** @throws an error of the system, or GateError GATE_STATE, when it cannot be written */
export function writeCertificate(
  paths: StatePaths,
  {
    hook,
    session,
    kind,
  }: { readonly hook: HookName; readonly session: SessionId; readonly kind: CertificateKind },
  facts: readonly Fact[],
): void {
  const content = encodeCertificate(kind, facts)
  if (content === undefined) return
  const folder = path.join(paths.sessions, FRONT_FOLDER)
  const file = path.join(folder, certificateName(hook, session))
  makeStateFolder(folder)
  const isFirst = statSync(file, { throwIfNoEntry: false }) === undefined
  writeAtomic(file, Buffer.concat([content, sha1Of(content)]))
  // One that is gone costs its session one start of Node.
  if (isFirst) removeOlder(folder, Date.now() - KEEP_MS)
}

/** When the front last found everything as it was pinned, in milliseconds since the epoch. */
export function lastFrontCheckMs(sessionDir: string): number | undefined {
  const session = path.basename(sessionDir) as SessionId
  const file = path.join(path.dirname(sessionDir), FRONT_FOLDER, certificateName('investigate-gate', session))
  const opened = openIfThere(file)
  if (opened === undefined) return undefined
  try {
    const header = Buffer.alloc(CERTIFICATE_HEADER_BYTES)
    readSync(opened, header, 0, header.length, 0)
    return certificateKind(header) === 'armed' ? fstatSync(opened).mtimeMs : undefined
  } finally {
    closeSync(opened)
  }
}

const KEEP_MS = 7 * 24 * 60 * 60 * 1000
