/**
 * Marks of passes that are at work, so that the next pass can tell which were killed and finish what they left. They lie
 * in one directory for all sessions: whoever comes next on the same repository has to see them.
 */

import { readFileSync, rmSync } from 'node:fs'
import path from 'node:path'
import { isMissing } from '../core/errors.ts'
import type { RepoPath, SessionId } from '../core/ids.ts'
import type { GateHook } from '../core/marker.ts'
import { readRegularFile } from '../native/regular-file.ts'
import { writeAtomic } from './atomic.ts'
import { makeStateFolder, namesIn } from './folder.ts'
import type { StatePaths } from './paths.ts'

export interface InFlight {
  readonly pid: number
  /** Start of the process in the kernel's ticks; tells a reused pid apart. */
  readonly startedAt: string
  readonly session: SessionId
  readonly hook: GateHook
  readonly event: string
  /** The new index that this pass prepares in a git directory, and its identity once it may become the lock. */
  readonly newIndex?: {
    readonly gitDir: string
    readonly tempName: string
    readonly id?: { readonly ino: string; readonly dev: string }
  }
  /** New or displaced files that may stand beside their targets. */
  readonly temporaries?: readonly {
    readonly root: string
    readonly path: RepoPath
    readonly tempName: string
  }[]
}

export interface Pass {
  /** Adds to the mark what the pass is about to do. */
  note(plan: Pick<InFlight, 'newIndex' | 'temporaries'>): void
  end(): void
}

const directoryOf = (paths: StatePaths): string => path.join(paths.sessions, '.in-flight')

export function beginPass(paths: StatePaths, who: Pick<InFlight, 'session' | 'hook' | 'event'>): Pass {
  const startedAt = startOf(process.pid) ?? ''
  let mark: InFlight = { ...who, pid: process.pid, startedAt }
  makeStateFolder(directoryOf(paths))
  const file = path.join(directoryOf(paths), `${String(process.pid)}-${startedAt}.json`)
  writeAtomic(file, JSON.stringify(mark))
  return {
    note(plan) {
      mark = { ...mark, ...plan }
      writeAtomic(file, JSON.stringify(mark))
    },
    end() {
      rmSync(file, { force: true })
    },
  }
}

export interface DeadPass {
  readonly mark: InFlight
  /** Forgets it, once what it left is dealt with. */
  readonly forget: () => void
}

/** Passes whose process is gone. A zombie is gone, and a reused pid has another start time. */
export function findDeadPasses(paths: StatePaths): readonly DeadPass[] {
  const directory = directoryOf(paths)
  return namesIn(directory).flatMap((name) => {
    const file = path.join(directory, name)
    const mark = name.endsWith('.json') ? readMark(file) : undefined
    if (mark === undefined || startOf(mark.pid) === mark.startedAt) return []
    return [{ mark, forget: () => rmSync(file, { force: true }) }]
  })
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
    if (!isMissing(error) && !isGone(error)) throw error
    return process.platform === 'linux' ? undefined : startWithoutProc(pid)
  }
}

function startWithoutProc(pid: number): string | undefined {
  try {
    process.kill(pid, 0)
    return 'running'
  } catch (error) {
    if (isGone(error)) return undefined
    return 'running'
  }
}

const isGone = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'ESRCH'
