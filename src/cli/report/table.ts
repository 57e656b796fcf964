import { COUNT_NAMES, type SessionReport } from './counts.ts'

/** One table per session for a terminal, then what went wrong in it. */
export function formatReports(reports: readonly SessionReport[]): string {
  return reports.map(formatReport).join('\n')
}

function formatReport({ session, gates, errors, skipped }: SessionReport): string {
  const rows = Object.entries(gates).map(([hook, counts]) => [
    hook,
    ...COUNT_NAMES.map((name) => String(counts[name])),
  ])
  const table = [['', ...COUNT_NAMES], ...rows]
  const notes = [
    ...skipped.map(({ hook, reason }) => `${hook} did not arm: ${reason}`),
    ...errors.map(({ at, hook, code, why }) => `${at} ${hook} ${code}: ${why}`),
  ]
  return [
    `session ${session}`,
    ...align(rows.length === 0 ? [] : table),
    ...notes.map((note) => `  ${note}`),
    '',
  ].join('\n')
}

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
