/** The figures of one run as a table, for a terminal and for `docs/performance.md`. */

import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { cpus, release, totalmem } from 'node:os'
import { join } from 'node:path'
import type { Pair } from './measure.ts'
import type { Row } from './rows.ts'

export interface Measured extends Pair {
  readonly name: string
  readonly target: number
  readonly against: string
}

export const measuredOf = ({ name, target, against }: Row, pair: Pair): Measured => ({
  name,
  target,
  against,
  ...pair,
})

const HEADER = [
  '| Call | Median | Least | Held against | Median | Least | Ratio | Target | |',
  '| --- | ---: | ---: | --- | ---: | ---: | ---: | ---: | --- |',
]

export function tableOf(rows: readonly Measured[]): string {
  return [...HEADER, ...rows.map(lineOf)].join('\n')
}

export function lineOf({ name, target, against, subject, reference, ratio }: Measured): string {
  const isTarget = Number.isFinite(target)
  const cells = [
    name,
    inMs(subject.medianMs),
    inMs(subject.leastMs),
    against,
    inMs(reference.medianMs),
    inMs(reference.leastMs),
    ratio.toFixed(2),
    isTarget ? target.toFixed(2) : '',
    isTarget ? (ratio <= target ? 'hit' : '**missed**') : '',
  ]
  return `| ${cells.join(' | ')} |`
}

const inMs = (ms: number): string => `${ms < 10 ? ms.toFixed(1) : Math.round(ms)} ms`

/** What the figures were taken on. */
export function machineText(folder: string, runs: number): string {
  const [cpu] = cpus()
  const git = execFileSync('git', ['--version']).toString().trim()
  const fileSystem = execFileSync('stat', ['-f', '-c', '%T', folder]).toString().trim()
  const memory = Math.round(totalmem() / 1024 ** 3)
  return `${cpus().length} cores (${cpu?.model ?? 'unknown'}), ${memory} GiB, Linux ${release()}, ${fileSystem}, Node ${process.version}, ${git}; medians of ${runs} runs, warm cache.`
}

const BENCH = /(?<=<!-- bench -->\n)[\s\S]*(?=<!-- end of bench -->)/
const COSTS = /(?<=<!-- costs -->\n)[\s\S]*(?=<!-- end of costs -->)/

/** Puts the run into `docs/performance.md`, between its two marks, and what people ask first into the README. */
export function writeDocs(packageRoot: string, machine: string, rows: readonly Measured[]): void {
  const [page, readme] = [join(packageRoot, 'docs/performance.md'), join(packageRoot, 'README.md')]
  const text = readFileSync(page, 'utf8').replace(BENCH, () => `\n${machine}\n\n${tableOf(rows)}\n\n`)
  writeFileSync(page, text)
  writeFileSync(readme, withCosts(readFileSync(readme, 'utf8'), text))
}

/**
 * The README with the figures of `docs/performance.md`: each call, how long it takes, and what it is held against.
 *
 * @param page that document; while it has no figures the README stays as it is
 */
export function withCosts(readme: string, page: string): string {
  const rows = [...(BENCH.exec(page)?.[0] ?? '').matchAll(/^\| (?!Call|-)(.*) \|$/gm)].map(([, row = '']) =>
    row.split('|').map((cell) => cell.trim()),
  )
  if (rows.length === 0) return readme
  const lines = rows.map(
    ([call, median, , against, reference]) => `| ${[call, median, against, reference].join(' | ')} |`,
  )
  const table = ['| Hook call | Median | For comparison | Median |', '| --- | ---: | --- | ---: |', ...lines]
  return readme.replace(COSTS, () => `\n${table.join('\n')}\n\n`)
}
