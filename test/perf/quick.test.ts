/**
 * Notices when a kind of call takes twice as long as it did. Processor time is counted, the limits are loose and the best of
 * several attempts decides, so that a busy machine fails nothing; what the figures should be is `npm run bench` and
 * docs/performance.md. Needs the build.
 */

import { join } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryDir } from '../helpers/temporary-dir.ts'
import { PACKAGE } from '../helpers/world.ts'
import { forestOf } from './forest.ts'
import { timeOnce, type Command } from './measure.ts'
import {
  armingRow,
  contractRow,
  idleRows,
  promptRow,
  putBackRow,
  unchangedRow,
  type Field,
  type Row,
} from './rows.ts'

const FILES = 5_000
const ATTEMPTS = 12

/** Twice what each takes on two idle cores, held against an empty Node. */
const LIMITS: readonly (readonly [limit: number, row: (field: Field) => Row | undefined])[] = [
  [0.3, (field) => idleRows(field).find(({ name }) => name === 'unarmed')],
  [2.8, promptRow],
  [3.7, contractRow],
  [0.8, (field) => unchangedRow(field, FILES)],
  [6.8, (field) => armingRow(field, FILES)],
  [8.5, (field) => putBackRow(field, FILES, 1)],
  [19, (field) => putBackRow(field, FILES, 200)],
]

test.each(LIMITS)('no kind of call takes more than %f times what an empty Node takes', (limit, rowOf) => {
  const folder = temporaryDir()
  const field: Field = {
    folder,
    packageRoot: PACKAGE.replace(/\/$/, ''),
    forest: (files, twin) => forestOf(files, join(folder, `${files}${twin ?? ''}`)),
  }
  const row = rowOf(field)!
  const { subject } = row.make()

  expect(bestRatio(subject, limit), row.name).toBeLessThan(limit)
})

/** @returns the first ratio below the limit, else the least one */
function bestRatio(subject: Command, limit: number): number {
  const nothing: Command = {
    program: process.execPath,
    args: ['-e', '0'],
    cwd: subject.cwd,
    env: subject.env,
  }
  timeOnce(subject)
  let [own, empty] = [Infinity, Infinity]
  for (let attempt = 0; attempt < ATTEMPTS && !(own / empty < limit); attempt++) {
    own = Math.min(own, timeOnce(subject).cpuMs)
    empty = Math.min(empty, timeOnce(nothing).cpuMs)
  }
  return own / empty
}
