import { lstatSync, renameSync } from 'node:fs'
import path from 'node:path'
import { isMissing } from '../core/errors.ts'
import { readRegularFile } from '../native/regular-file.ts'
import { makeFolder } from './folder.ts'
import { append } from './in-place.ts'

const ROTATE_AT_BYTES = 1024 * 1024

/**
 * Appends lines to `<logs>/<name>.log`, one write each, so that parallel hooks do not mix within a line. A log that
 * reached 1 MiB becomes `<name>.log.1` first.
 *
 * @param lines without newlines
 */
export function appendToLog(logs: string, name: string, lines: readonly string[]): void {
  if (lines.length === 0) return
  const file = path.join(logs, `${name}.log`)
  makeFolder(logs)
  rotate(file)
  for (const line of lines) append(file, `${line}\n`)
}

/** Lines of a log and of the one before it, oldest first. */
export function readLog(logs: string, name: string): readonly string[] {
  const file = path.join(logs, `${name}.log`)
  return [`${file}.1`, file]
    .flatMap((each) => readRegularFile(each)?.toString('utf8').split('\n') ?? [])
    .filter((line) => line !== '')
}

function rotate(file: string): void {
  try {
    if (lstatSync(file).size >= ROTATE_AT_BYTES) renameSync(file, `${file}.1`)
  } catch (error) {
    if (!isMissing(error)) throw error
  }
}
