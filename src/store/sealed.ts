/**
 * JSON files of ours that decide what is blocked and what is put back. Their field `seal` is the digest of all others,
 * so that damage or somebody's edit is noticed instead of believed.
 */

import { GateError } from '../core/errors.ts'
import { digestOf } from '../native/digest.ts'
import { parseState, readState, writeState } from './state-file.ts'

/** @throws GateError GATE_STATE when the file cannot be written; the old one stays */
export function writeSealed(file: string, value: object): void {
  writeState(file, sealedText(value))
}

export const sealedText = (value: object): string => `${JSON.stringify({ ...value, seal: sealOf(value) })}\n`

/**
 * @param isOurs whether this version wrote it; another one may have sealed it in another way
 * @returns undefined when there is no such file or it is not ours
 * @throws GateError GATE_STATE when it cannot be read or is not as it was written
 */
export function readSealed(
  file: string,
  isOurs: (value: Partial<Record<string, unknown>>) => boolean,
): object | undefined {
  const bytes = readState(file)
  if (bytes === undefined) return undefined
  const { seal, ...value } = parseState(file, bytes) as Partial<Record<string, unknown>>
  if (!isOurs(value)) return undefined
  if (seal === sealOf(value)) return value
  throw new GateError('GATE_STATE', `this file is damaged, or was edited: ${file}`)
}

const sealOf = (value: object): string => digestOf(JSON.stringify(value)).slice(0, 32)
