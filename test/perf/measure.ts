/** Times two commands against each other, as whole processes, turn by turn. */

import { spawnSync } from 'node:child_process'

export interface Command {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
  readonly input?: string
  /** Brings about what the run is to meet; not timed. */
  readonly prepare?: () => void
  /** Whether it did what is being timed, by what it printed. */
  readonly isDone?: (stdout: string) => boolean
}

export interface Times {
  readonly medianMs: number
  readonly leastMs: number
  readonly mostMs: number
}

export interface Pair {
  readonly subject: Times
  readonly reference: Times
  /** Of the medians. */
  readonly ratio: number
}

/** @param runs of each command, after one of each that warms the caches */
export function measurePair(subject: Command, reference: Command, runs: number): Pair {
  const [subjectMs, referenceMs]: [number[], number[]] = [[], []]
  timeOnce(subject)
  timeOnce(reference)
  for (let run = 0; run < runs; run++) {
    // Whoever comes second finds the machine as the other left it, so they take turns.
    const turns = [() => subjectMs.push(timeOnce(subject).ms), () => referenceMs.push(timeOnce(reference).ms)]
    for (const turn of run % 2 === 0 ? turns : turns.toReversed()) turn()
  }
  const pair = { subject: timesOf(subjectMs), reference: timesOf(referenceMs) }
  return { ...pair, ratio: pair.subject.medianMs / pair.reference.medianMs }
}

export interface Timed {
  readonly ms: number
  /** Of the program and its children, user and system together; to the millisecond. */
  readonly cpuMs: number
}

/** bash forks in a third of the time that Node needs, which would be most of what a small program takes. */
const TIMED =
  'TIMEFORMAT="%U %S"; exec 4>&2; s=$EPOCHREALTIME; { time "$@" 2>&4; } 2>&3; code=$?; e=$EPOCHREALTIME; echo "$s $e" >&3; exit $code'

export function timeOnce({ program, args, cwd, env, input = '', prepare, isDone }: Command): Timed {
  prepare?.()
  const ran = spawnSync('bash', ['-c', TIMED, 'bash', program, ...args], {
    cwd,
    env: { ...env },
    input,
    maxBuffer: 1 << 28,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    encoding: 'utf8',
  })
  const [, stdout, stderr, times] = ran.output
  if (ran.status !== 0 || isDone?.(stdout ?? '') === false)
    throw new Error(`${program} ${args.join(' ')} did not do its work: ${stdout}${stderr}`)
  const [user = NaN, system = NaN, startS = NaN, endS = NaN] = (times ?? '').trim().split(/\s+/).map(Number)
  return { ms: (endS - startS) * 1_000, cpuMs: (user + system) * 1_000 }
}

function timesOf(values: readonly number[]): Times {
  const sorted = values.toSorted((a, b) => a - b)
  const at = (index: number): number => sorted[index] ?? 0
  const middle = sorted.length / 2
  return {
    medianMs: (at(Math.ceil(middle) - 1) + at(Math.floor(middle))) / 2,
    leastMs: at(0),
    mostMs: at(sorted.length - 1),
  }
}
