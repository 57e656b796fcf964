/** `npm run bench`: how long hook calls take as whole processes, each held against a program that people know. */

import { mkdirSync, rmSync } from 'node:fs'
import { tmpdir, userInfo } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { messageOf } from '../../src/core/errors.ts'
import { forestOf } from './forest.ts'
import { measurePair } from './measure.ts'
import {
  armingRow,
  contractRow,
  harnessRow,
  idleRows,
  promptRow,
  putBackRow,
  unchangedRow,
  type Field,
  type Row,
} from './rows.ts'
import { lineOf, machineText, measuredOf, tableOf, writeDocs } from './table.ts'

const HELP = `npm run bench -- [options]

Times the built hooks as whole processes and prints a table with ratios and targets. The repositories are made once,
in a temporary folder that is named at the end.

  --large         also measure 1,000,000 files; making them takes minutes and some 6 GB
  --runs N        runs of each command; 15 unless given
  --only TEXT     only the rows whose name holds the text
  --json          print JSON in place of the table
  --write-docs    put the table into docs/performance.md, and its medians into the README
  --remove        remove the repositories, and measure nothing
  --help          show this text
`

const OPTIONS = {
  large: { type: 'boolean', default: false },
  runs: { type: 'string', default: '15' },
  only: { type: 'string', default: '' },
  json: { type: 'boolean', default: false },
  'write-docs': { type: 'boolean', default: false },
  remove: { type: 'boolean', default: false },
  help: { type: 'boolean', default: false },
} as const

const parse = (args: string[]) => parseArgs({ args, options: OPTIONS }).values

/** @returns the exit code; a missed target is a figure and no failure */
export function main(args: string[], packageRoot: string): number {
  let options: ReturnType<typeof parse>
  try {
    options = parse(args)
  } catch (error) {
    console.error(`${messageOf(error)}\n\n${HELP}`)
    return 1
  }
  if (options.help) {
    console.log(HELP)
    return 0
  }
  const cache = join(tmpdir(), `gstack-bench-${userInfo().username}`)
  if (options.remove) {
    rmSync(cache, { recursive: true, force: true })
    console.log(`removed ${cache}`)
    return 0
  }

  const runs = Number(options.runs)
  const stages = join(cache, 'stages')
  mkdirSync(stages, { recursive: true, mode: 0o700 })
  const field: Field = {
    folder: stages,
    packageRoot,
    forest: (files, twin) => forestOf(files, join(cache, `${files}${twin === undefined ? '' : '-twin'}`)),
  }
  const report = (line: string): void => (options.json ? console.error(line) : console.log(line))
  const rows = rowsOf(field, options.large).filter(({ name }) => name.includes(options.only))
  try {
    const measured = rows.flatMap((row) => {
      try {
        const { subject, reference } = row.make()
        const found = measuredOf(row, measurePair(subject, reference, runs))
        report(lineOf(found))
        return [found]
      } catch (error) {
        report(`${row.name}: ${messageOf(error)}`)
        return []
      }
    })
    const machine = machineText(cache, runs)
    if (options.json) console.log(JSON.stringify({ machine, rows: measured }, undefined, 2))
    else
      console.log(
        `\n${machine}\n\n${tableOf(measured)}\n\nThe repositories stay in ${cache}; --remove removes them.`,
      )
    if (options['write-docs']) writeDocs(packageRoot, machine, measured)
  } finally {
    rmSync(stages, { recursive: true, force: true })
  }
  return 0
}

const MANY = 100_000

function rowsOf(field: Field, isLarge: boolean): Row[] {
  return [
    harnessRow(field),
    ...idleRows(field),
    ...[10_000, MANY, ...(isLarge ? [1_000_000] : [])].map((files) => unchangedRow(field, files)),
    armingRow(field, MANY),
    putBackRow(field, MANY, 1),
    putBackRow(field, MANY, 4_000),
    promptRow(field),
    contractRow(field),
  ]
}
