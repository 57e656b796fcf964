/**
 * One file per session with what became of its skill runs: `skill-contracts/<session id>.json`, mode 0600. Only the
 * Stop hook writes it, and the client runs that one at a time.
 */

import path from 'node:path'
import { isoTime } from '../core/iso-time.ts'
import type { ContractRun } from '../core/contract.ts'
import { GateError, isSystemError, messageOf } from '../core/errors.ts'
import { toSessionId, type SessionId } from '../core/ids.ts'
import { readRegularFile } from '../native/regular-file.ts'
import { writeAtomic } from './atomic.ts'
import { makeFolder, namesIn } from './folder.ts'
import type { StatePaths } from './paths.ts'

const RECORD_VERSION = 1

export interface ContractRecord {
  readonly version: typeof RECORD_VERSION
  readonly session: string
  /** In the order in which they were first recorded; keys distinct. */
  readonly runs: readonly ContractRun[]
}

/** A file that could not be read or written; the message starts with its path. */
export const stateError = (file: string, cause: unknown): GateError =>
  new GateError('SKILL_CONTRACT_STATE_ERROR', `${file}: ${messageOf(cause)}`, { cause })

export const contractRecordFile = (paths: StatePaths, session: SessionId): string =>
  path.join(recordsDir(paths), `${session}.json`)

export const recordsDir = (paths: StatePaths): string => path.join(paths.root, 'skill-contracts')

/**
 * Reads a session's record.
 *
 * @returns undefined when there is none, or one of another version
 * @throws GateError SKILL_CONTRACT_STATE_ERROR when it cannot be read or is not a record
 */
export function readContractRecord(paths: StatePaths, session: SessionId): ContractRecord | undefined {
  const file = contractRecordFile(paths, session)
  const value = parse(
    file,
    attempt(file, () => readRegularFile(file)),
  )
  if (value === undefined || value.version !== RECORD_VERSION) return undefined
  if (!Array.isArray(value.runs) || !value.runs.every(isRun))
    throw stateError(file, 'it is not a session record')
  return { version: RECORD_VERSION, session, runs: value.runs }
}

/** Puts a run in the place of the one with its key, or behind the others. */
export function writeContractRun(paths: StatePaths, session: SessionId, run: ContractRun): void {
  const file = contractRecordFile(paths, session)
  const runs = readContractRecord(paths, session)?.runs ?? []
  const isKnown = runs.some(({ key }) => key === run.key)
  const record: ContractRecord = {
    version: RECORD_VERSION,
    session,
    runs: isKnown ? runs.map((other) => (other.key === run.key ? run : other)) : [...runs, run],
  }
  attempt(file, () => {
    makeFolder(recordsDir(paths))
    writeAtomic(file, `${JSON.stringify(record, null, 2)}\n`)
  })
}

/** Ids of all sessions with a record, sorted. */
export function contractSessions(paths: StatePaths): readonly SessionId[] {
  const directory = recordsDir(paths)
  return attempt(directory, () => namesIn(directory))
    .filter((name) => name.endsWith('.json'))
    .flatMap((name) => toSessionId(name.slice(0, -'.json'.length)) ?? [])
    .sort()
}

/**
 * Counts a transcript that the parser does not know, in `hooks/skill-contract.canary.json`.
 *
 * @throws GateError SKILL_CONTRACT_STATE_ERROR when the count cannot be written
 */
export function countUnknownShape(paths: StatePaths, now: Date): void {
  const file = path.join(paths.logs, 'skill-contract.canary.json')
  attempt(file, () => {
    makeFolder(paths.logs)
    writeAtomic(file, `${JSON.stringify({ count: countIn(file) + 1, last_at: isoTime(now) })}\n`)
  })
}

/** A count that cannot be read starts again. */
function countIn(file: string): number {
  try {
    const { count } = JSON.parse(readRegularFile(file)?.toString('utf8') ?? '{}') as { count?: unknown }
    return Number.isSafeInteger(count) ? (count as number) : 0
  } catch (error) {
    if (error instanceof SyntaxError) return 0
    throw error
  }
}

function parse(file: string, bytes: Buffer | undefined): Partial<ContractRecord> | undefined {
  if (bytes === undefined) return undefined
  try {
    const value: unknown = JSON.parse(bytes.toString('utf8'))
    if (typeof value === 'object' && value !== null) return value
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error
  }
  throw stateError(file, 'it is not JSON of a session record')
}

const TEXT_FIELDS = ['key', 'skill', 'skill_file', 'transcript', 'outcome', 'recorded_at'] as const

function isRun(value: unknown): value is ContractRun {
  if (typeof value !== 'object' || value === null) return false
  const run = value as Partial<ContractRun>
  return (
    TEXT_FIELDS.every((field) => typeof run[field] === 'string') &&
    Array.isArray(run.contract?.items) &&
    Array.isArray(run.missing) &&
    Array.isArray(run.waived)
  )
}

function attempt<Result>(file: string, work: () => Result): Result {
  try {
    return work()
  } catch (error) {
    if (isSystemError(error)) throw stateError(file, error)
    throw error
  }
}
