/**
 * Marks of passes that are at work, so that the next pass can tell which were killed and finish what they left. They lie
 * in one directory for all sessions: whoever comes next on the same repository has to see them.
 */

import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { isoTime } from '../core/iso-time.ts'
import { hasErrno, isMissing, type GateErrorCode } from '../core/errors.ts'
import type { RepoPath, SessionId } from '../core/ids.ts'
import type { GateHook } from '../core/marker.ts'
import { IN_FLIGHT_FOLDER } from '../core/state-names.ts'
import { readRegularFile } from '../native/regular-file.ts'
import { writeAtomic } from './atomic.ts'
import { makeStateFolder, namesIn } from './folder.ts'
import type { LateWork } from './late.ts'
import type { StatePaths } from './paths.ts'
import { isProcessGone } from './process-gone.ts'

export interface InFlight {
  readonly pid: number
  /** Start of the process in the kernel's ticks; tells a reused pid apart. */
  readonly startedAt: string
  /** When the pass began, ISO 8601. */
  readonly at?: string
  readonly session: SessionId
  readonly hook: GateHook
  readonly event: string
  /** The call that it was to answer, and where the client tells what became of that; undefined for a stop. */
  readonly call?: { readonly id: string; readonly transcript: string }
  /** The new index that this pass prepares in a git directory, and its identity once it may become the lock. */
  readonly newIndex?: {
    readonly gitDir: string
    readonly tempName: string
    readonly id?: { readonly ino: string; readonly dev: string }
    /** Paths whose entries it puts back. */
    readonly root?: string
    readonly paths?: readonly RepoPath[]
  }
  /** The lock that it takes on a ref, another name of the file beside it; no identity before that is made. */
  readonly refLock?: {
    readonly lock: string
    readonly temp: string
    readonly id?: { readonly ino: string; readonly dev: string }
  }
  /** New or displaced files that may stand beside their targets. */
  readonly temporaries?: readonly Temporary[]
  /** Refs that it moves, with what is to be said once they are moved. */
  readonly undo?: readonly PlannedUndo[]
  /** What earlier passes had done and this one is about to say. */
  readonly late?: readonly LateWork[]
  /** The pass ended in this error. */
  readonly error?: { readonly code: GateErrorCode; readonly why: string }
  /** Its end is in the record already; only its work is to be finished. */
  readonly isFiled?: boolean
}

export interface Temporary {
  readonly root: string
  readonly path: RepoPath
  readonly tempName: string
  /** Name of the kept copy once the target is displaced. */
  readonly keptName?: string
  /** Inode and device of what stood there; undefined when that was nothing. */
  readonly displaces?: string
}

export interface PlannedUndo {
  readonly root: string
  readonly gitDir: string
  readonly commonDir: string
  /** Full name of the ref; `HEAD` when it is detached, or moves to another branch. */
  readonly name: string
  /** Ids of commits; full names of branches where HEAD moves from one to another. */
  readonly from: string
  readonly to: string
  /** Files of an open merge that come back with the ref. */
  readonly mergeFiles: Readonly<Record<string, string>>
  readonly lines: readonly string[]
}

export interface Pass {
  /** Adds to the mark what the pass is about to do. */
  note(plan: Pick<InFlight, 'newIndex' | 'refLock' | 'temporaries' | 'undo' | 'late'>): void
  end(): void
}

export type PassStart = Pick<InFlight, 'session' | 'hook' | 'event' | 'call'> & { readonly now: Date }

const directoryOf = (paths: StatePaths): string => path.join(paths.sessions, IN_FLIGHT_FOLDER)

/** Leaves the mark of a pass before it works; `note` adds what it is about to do, `end` takes the mark away. */
export function beginPass(paths: StatePaths, { now, ...who }: PassStart): Pass {
  const file = ownFile(paths)
  let mark: InFlight = { ...who, at: isoTime(now), pid: process.pid, startedAt: ownStart() }
  makeStateFolder(directoryOf(paths))
  writeAtomic(file, JSON.stringify(mark))
  return {
    note({ temporaries = [], undo = [], late = [], ...plan }) {
      mark = {
        ...mark,
        ...plan,
        temporaries: [...(mark.temporaries ?? []), ...temporaries],
        undo: [...(mark.undo ?? []), ...undo],
        late: [...(mark.late ?? []), ...late],
        ...left,
      }
      writeAtomic(file, JSON.stringify(mark))
    },
    end() {
      if (left === undefined) rmSync(file, { force: true })
    },
  }
}

/** How the pass of this process was left. Work that the deadline cut off may still be going on, and must not take it back. */
let left: Pick<InFlight, 'error' | 'isFiled'> | undefined

/**
 * Leaves the mark of this process's pass, made now where there is none, behind an error: the next pass finishes and tells
 * what was begun, and files the error where that could not be done.
 */
export function leavePass(
  paths: StatePaths,
  { now, error, isFiled, ...who }: PassStart & Required<Pick<InFlight, 'error' | 'isFiled'>>,
): void {
  left = { error, isFiled }
  const file = ownFile(paths)
  const mark = readMark(file)
  const hasWork = mark?.newIndex !== undefined || mark?.temporaries !== undefined
  if (isFiled && !hasWork) {
    rmSync(file, { force: true })
    return
  }
  const started = { ...who, at: isoTime(now), pid: process.pid, startedAt: ownStart() }
  makeStateFolder(directoryOf(paths))
  writeAtomic(file, JSON.stringify({ ...started, ...mark, error, isFiled }))
}

const ownStart = (): string => startOf(process.pid) ?? ''

const ownFile = (paths: StatePaths): string =>
  path.join(directoryOf(paths), `${String(process.pid)}-${ownStart()}.json`)

export interface DeadPass {
  readonly mark: InFlight
  /** Forgets it, once what it left is dealt with. */
  readonly forget: () => void
}

/** Passes whose process is gone. A zombie is gone, and a reused pid has another start time. */
export const findDeadPasses = (paths: StatePaths): readonly DeadPass[] =>
  marksOf(paths).flatMap(({ mark, file }) => {
    if (isAtWork(mark)) return []
    // One that ended by itself after its mark was read has taken the mark away.
    const left = readMark(file)
    return left === undefined ? [] : [{ mark: left, forget: () => rmSync(file, { force: true }) }]
  })

/** Whether a hook of the session is at work. */
export const hasLivePass = (paths: StatePaths, session: SessionId): boolean =>
  marksOf(paths).some(({ mark }) => mark.session === session && isAtWork(mark))

const isAtWork = ({ pid, startedAt }: InFlight): boolean => startOf(pid) === startedAt

function marksOf(paths: StatePaths): readonly { readonly mark: InFlight; readonly file: string }[] {
  const directory = directoryOf(paths)
  return namesIn(directory).flatMap((name) => {
    const file = path.join(directory, name)
    const mark = name.endsWith('.json') ? readMark(file) : undefined
    return mark === undefined ? [] : [{ mark, file }]
  })
}

/** Removes half-written marks of processes that are gone. */
export function removeTornMarks(paths: StatePaths): void {
  const directory = directoryOf(paths)
  for (const name of namesIn(directory)) {
    const [, pid = '', startedAt] = /^(\d+)-(\d*)\.json\.[0-9a-z-]+\.tmp$/.exec(name) ?? []
    if (pid !== '' && startOf(Number(pid)) !== startedAt) rmSync(path.join(directory, name), { force: true })
  }
}

function readMark(file: string): InFlight | undefined {
  const text = readRegularFile(file)?.toString('utf8')
  try {
    return text === undefined ? undefined : (JSON.parse(text) as InFlight)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** @returns undefined when no such process runs; elsewhere than on Linux, what `kill` says stands in */
function startOf(pid: number): string | undefined {
  try {
    const stat = readFileSync(`/proc/${String(pid)}/stat`, 'latin1')
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' || fields[0] === 'X' ? undefined : fields[19]
  } catch (error) {
    if (!isMissing(error) && !hasErrno(error, 'ESRCH')) throw error
    return process.platform === 'linux' || isProcessGone(pid) ? undefined : 'running'
  }
}
