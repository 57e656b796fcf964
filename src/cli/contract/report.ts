import { GateError, messageOf } from '../../core/errors.ts'
import { toSessionId, type SessionId } from '../../core/ids.ts'
import { contractSessions, readContractRecord } from '../../store/contract-record.ts'
import { statePathsFrom, type StatePaths } from '../../store/paths.ts'
import type { CommandCall } from '../command.ts'
import { headOf, printAnswer, textOption, type Answer } from './answer.ts'
import { reportedRun, type ReportedRun } from './recheck.ts'

/** Lists misses by skill and item, then each missed run. */
export async function report(call: CommandCall): Promise<number> {
  return await printAnswer(call, 'report', () => answer(call))
}

interface SessionRun extends ReportedRun {
  readonly session: SessionId
}

function answer(call: CommandCall): Answer {
  const { context } = call
  const paths = statePathsFrom(context.env, context.home)
  const sessions = sessionsToReport(paths, textOption(call, 'session'))
  const errors: string[] = []
  const runs = sessions.flatMap((session) => readRuns(paths, session, errors))
  if (call.options['json'] !== true)
    for (const error of errors) context.stderr(`SKILL_CONTRACT_STATE_ERROR ${error}\n`)

  const misses = runs.filter(({ isMiss }) => isMiss)
  const code = errors.length > 0 ? 'SKILL_CONTRACT_STATE_ERROR' : 'SKILL_CONTRACT_MET'
  const head = `${headOf(code, 'report')}: ${counted(runs.length, 'run')} in ${counted(sessions.length, 'session')}, ${counted(misses.length, 'miss', 'misses')}`
  return {
    code,
    text: [head, ...missTable(misses), ...missedRuns(misses), ''].join('\n'),
    json: {
      sessions: sessions.length,
      misses: missCounts(misses),
      runs: runs.map(jsonOf),
      errors,
    },
  }
}

function sessionsToReport(paths: StatePaths, named: string | undefined): readonly SessionId[] {
  if (named === undefined) return contractSessions(paths)
  const session = toSessionId(named)
  if (session === undefined) throw new GateError('SKILL_CONTRACT_USAGE', `this is no session id: ${named}`)
  return [session]
}

/** A record that cannot be read hides none of the others. */
function readRuns(paths: StatePaths, session: SessionId, errors: string[]): readonly SessionRun[] {
  try {
    const runs = readContractRecord(paths, session)?.runs ?? []
    return runs.map((run) => ({ session, ...reportedRun(run, new Date()) }))
  } catch (error) {
    if (!(error instanceof GateError)) throw error
    errors.push(messageOf(error))
    return []
  }
}

/** What follow lost, by skill and item. */
function missCounts(
  misses: readonly SessionRun[],
): Readonly<Record<string, Readonly<Record<string, number>>>> {
  const counts: Record<string, Record<string, number>> = {}
  for (const { run, missing, waived } of misses) {
    const items = (counts[run.skill] ??= {})
    for (const item of [...missing, ...waived]) items[item] = (items[item] ?? 0) + 1
  }
  return counts
}

function missTable(misses: readonly SessionRun[]): readonly string[] {
  const rows = Object.entries(missCounts(misses)).flatMap(([skill, items]) =>
    Object.entries(items).map(([item, count]) => ({ skill, item, count })),
  )
  rows.sort((a, b) => b.count - a.count || a.skill.localeCompare(b.skill) || a.item.localeCompare(b.item))
  if (rows.length === 0) return []
  return [
    '',
    'misses by skill and item:',
    ...rows.map(({ skill, item, count }) => `  ${count}  ${skill}  ${item}`),
  ]
}

function missedRuns(misses: readonly SessionRun[]): readonly string[] {
  if (misses.length === 0) return []
  const rows = misses.map(({ session, run, outcome, missing, waived }) =>
    [
      `  ${run.recorded_at}  ${session}  ${run.skill}  ${outcome}`,
      ...(missing.length > 0 ? [`missing ${missing.join(', ')}`] : []),
      ...(waived.length > 0 ? [`waived ${waived.join(', ')}`] : []),
    ].join('  '),
  )
  return ['', 'missed runs:', ...rows]
}

const jsonOf = ({ session, run, outcome, isMiss, missing, waived }: SessionRun) => ({
  session,
  skill: run.skill,
  key: run.key,
  outcome,
  recorded_outcome: run.outcome,
  miss: isMiss,
  missing,
  waived,
  recorded_at: run.recorded_at,
  ...(run.blocked_at === undefined ? {} : { blocked_at: run.blocked_at }),
  transcript: run.transcript,
})

const counted = (count: number, one: string, many = `${one}s`): string =>
  `${count} ${count === 1 ? one : many}`
