import { GateError } from '../../core/errors.ts'

const UNIT_MS = { m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const

/**
 * Reads what `--since` takes: an age (`90m`, `12h`, `2d`, `1w`), a date, or a date with a time. Without a zone it is in the
 * person's own.
 *
 * @throws GateError SKILL_GATES_USAGE for anything else
 */
export function parseSince(text: string, now: Date): Date {
  const [, count, unit] = /^(\d{1,6})([mhdw])$/.exec(text) ?? []
  if (count !== undefined)
    return new Date(now.getTime() - Number(count) * UNIT_MS[unit as keyof typeof UNIT_MS])

  const isDate = /^\d{4}-\d\d-\d\d$/.test(text)
  const isTime = /^\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?$/.test(text)
  // A bare date would be read as midnight UTC.
  const date = isDate ? new Date(`${text}T00:00`) : new Date(text)
  if ((isDate || isTime) && !Number.isNaN(date.getTime())) return date
  throw new GateError(
    'SKILL_GATES_USAGE',
    `--since takes an age (90m, 12h, 2d, 1w) or a date (2026-01-31, 2026-01-31T14:00), not ${text}`,
  )
}
