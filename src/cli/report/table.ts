import { COUNT_NAMES, totalsOf, type SessionReport } from './counts.ts'
import { minuteOf } from './minute.ts'

/** One table per session for a terminal, each with what went wrong in it, then the sum of all when there are several. */
export function formatReports(reports: readonly SessionReport[]): string {
  const tables = reports.map(formatReport)
  if (reports.length > 1)
    tables.push([`${String(reports.length)} sessions`, ...formatCounts(totalsOf(reports)), ''].join('\n'))
  return tables.join('\n')
}

function formatReport({
  session,
  updatedAt,
  gates,
  errors,
  skipped,
  unwatched,
  byPerson,
}: SessionReport): string {
  const notes = [
    ...Object.entries(gates).flatMap(([hook, { unchecked }]) =>
      unchecked === 0 ? [] : [`${hook}: ${callsOf(unchecked)} went through unchecked`],
    ),
    ...(unwatched === 0
      ? []
      : [`${String(unwatched)} calls came after the last check: are the hooks still registered?`]),
    ...skipped.map(({ hook, reason }) => `${hook} did not arm: ${reason}`),
    ...byPerson.map(({ hook, at }) => `${at} ${hook} was released by a person`),
    ...errors.map(({ at, hook, code, why }) => `${at} ${hook} ${code}: ${why}`),
  ]
  return [
    updatedAt === undefined
      ? `session ${session}`
      : `session ${session}, last decision ${minuteOf(updatedAt)}`,
    ...formatCounts(gates),
    ...notes.map((note) => `  ${note}`),
    '',
  ].join('\n')
}

function formatCounts(gates: SessionReport['gates']): string[] {
  const rows = Object.entries(gates).map(([hook, counts]) => [
    hook,
    ...COUNT_NAMES.map((name) => String(counts[name])),
  ])
  return rows.length === 0 ? [] : align([['', ...COUNT_NAMES], ...rows])
}

const callsOf = (count: number): string =>
  count === 1 ? '1 gated call or stop' : `${String(count)} gated calls or stops`

/** The first column flush left, numbers flush right. */
function align(table: readonly (readonly string[])[]): string[] {
  const widths = (table[0] ?? []).map((_, column) =>
    Math.max(...table.map((row) => row[column]?.length ?? 0)),
  )
  return table.map((row) =>
    row
      .map((cell, column) =>
        column === 0 ? `  ${cell.padEnd(widths[0] ?? 0)}` : cell.padStart(widths[column] ?? 0),
      )
      .join('  '),
  )
}
