/** What files held before a gate armed or a fold was accepted, each under the digest of its content. */

import { lstatSync, renameSync, rmSync } from 'node:fs'
import path from 'node:path'
import { startHolding, type Content, type OwnContent, type ReadFrom } from '../core/content.ts'
import { GateError, isSystemError } from '../core/errors.ts'
import type { Sha256 } from '../core/ids.ts'
import { readOwnFile, sha256Of, writeContent } from '../native/large-file.ts'
import { makeStateFolder } from './folder.ts'
import { uniqueName } from './unique-name.ts'

export const rawCopyPath = (sessionDir: string, sha256: Sha256): string =>
  path.join(sessionDir, 'copies', sha256)

/** Keeps content, mode 0600; once kept, it stays for the session directory's life. @param from as for {@link writeContent} */
export function keepRawCopy(sessionDir: string, sha256: Sha256, content: Content, from?: ReadFrom): void {
  makeStateFolder(path.join(sessionDir, 'copies'))
  const file = rawCopyPath(sessionDir, sha256)
  if (readWhole(file, sha256) !== undefined) return
  const temporary = `${file}.${uniqueName()}.tmp`
  try {
    writeContent(temporary, content, from)
    renameSync(temporary, file)
  } catch (cause) {
    rmSync(temporary, { force: true })
    throw new GateError('GATE_STATE', `cannot write ${file}`, { cause })
  }
}

/** @throws GateError GATE_STATE when the copy is gone or is no longer what its name says */
export function readRawCopy(sessionDir: string, sha256: Sha256): OwnContent {
  const file = rawCopyPath(sessionDir, sha256)
  const content = readWhole(file, sha256)
  if (content !== undefined) return content
  throw new GateError('GATE_STATE', `the raw copy is missing or damaged: ${file}`)
}

function readWhole(file: string, sha256: Sha256): OwnContent | undefined {
  try {
    const found = lstatSync(file, { throwIfNoEntry: false })
    if (found?.isFile() !== true) return undefined
    const content = readOwnFile(file, startHolding())
    return sha256Of(content) === sha256 ? content : undefined
  } catch (cause) {
    if (!isSystemError(cause)) throw cause
    throw new GateError('GATE_STATE', `cannot read ${file}`, { cause })
  }
}
