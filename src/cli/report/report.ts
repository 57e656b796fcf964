import path from 'node:path'
import { ERROR_CODES, GateError, isSystemError, messageOf } from '../../core/errors.ts'
import { toSessionId, type SessionId } from '../../core/ids.ts'
import { statePathsFrom, type StatePaths } from '../../store/paths.ts'
import { listSessions, readRecord } from '../../store/record.ts'
import { listSwept } from '../../store/sweep.ts'
import { replaceUserFile } from '../../store/user-file.ts'
import type { CliContext, CommandCall } from '../command.ts'
import { versionOf } from '../version.ts'
import { brokenReport, codeOfReports, isArmed, reportOf, urgencyOf, type SessionReport } from './counts.ts'
import { settleKills } from './kills.ts'
import { minuteOf } from './minute.ts'
import { unwatchedCalls } from './unwatched.ts'
import { parseSince } from './since.ts'
import { formatReports } from './table.ts'

/** Prints what each session's record counts; first sessions whose last check failed, then others with an error. */
export async function report({ context, options }: CommandCall): Promise<number> {
  const expectArmed = readExpectation(options['expect'])
  const { since: age, html } = options
  const since = typeof age === 'string' ? parseSince(age, new Date()) : undefined
  const paths = statePathsFrom(context.env, context.home)
  const sessions = sessionsToReport(paths, options['session'])
  await settleKills(paths, sessions, context)
  const reports = sessions
    .flatMap((session) => readReport(paths, session) ?? [])
    .filter(({ updatedAt }) => since === undefined || isSince(updatedAt, since))
    .sort((a, b) => urgencyOf(b) - urgencyOf(a) || a.session.localeCompare(b.session))

  const page = typeof html === 'string' ? path.resolve(context.cwd, html) : undefined
  if (page !== undefined) await writePage(page, { reports, paths, since }, context)
  if (options['json'] === true) context.stdout(`${JSON.stringify(jsonOf(reports))}\n`)
  else context.stdout(page === undefined ? textOf(reports, since) + sweptText(paths) : `${page}\n`)

  const code = codeOfReports(reports, { expectArmed })
  if (code === undefined) return 0
  context.stderr(`${code} ${codeText(code, reports)}\n${ERROR_CODES[code].fix}\n`)
  return ERROR_CODES[code].exit
}

function codeText(
  code: NonNullable<ReturnType<typeof codeOfReports>>,
  reports: readonly SessionReport[],
): string {
  if (code === 'GATE_ERRORED') return ERROR_CODES[code].cause
  const unarmed = reports.filter((report) => !isArmed(report)).map(({ session }) => session)
  return unarmed.length === 0 ? 'no session is recorded' : `no gate ever armed in ${unarmed.join(', ')}`
}

/** A record that cannot be read has no time, and is never left out. */
const isSince = (updatedAt: string | undefined, since: Date): boolean =>
  updatedAt === undefined || Date.parse(updatedAt) >= since.getTime()

function textOf(reports: readonly SessionReport[], since: Date | undefined): string {
  if (reports.length > 0) return formatReports(reports)
  return since === undefined
    ? 'no session is recorded\n'
    : `no session is recorded since ${minuteOf(since.toISOString())}\n`
}

async function writePage(
  file: string,
  {
    reports,
    paths,
    since,
  }: { reports: readonly SessionReport[]; paths: StatePaths; since: Date | undefined },
  context: CliContext,
): Promise<void> {
  const { pageOf } = await import('./html/page.ts')
  const page = pageOf({ reports, paths, since, now: new Date(), version: versionOf(context.packageRoot) })
  try {
    await replaceUserFile(file, Buffer.from(page, 'utf8'))
  } catch (error) {
    if (!isSystemError(error)) throw error
    throw new GateError('SKILL_GATES_USAGE', `the page cannot be written: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

function sweptText(paths: StatePaths): string {
  const swept = listSwept(paths)
  const last = swept.at(-1)
  if (last === undefined) return ''
  return `${String(swept.length)} sessions were deleted after their time, the last on ${last.at.slice(0, 10)}: ${last.session}\n`
}

function readExpectation(value: string | boolean | undefined): boolean {
  if (value === undefined) return false
  if (value === 'armed') return true
  throw new GateError('SKILL_GATES_USAGE', '--expect takes the word armed')
}

function sessionsToReport(paths: StatePaths, named: string | boolean | undefined): readonly SessionId[] {
  if (typeof named !== 'string') return listSessions(paths)
  const session = toSessionId(named)
  if (session === undefined) throw new GateError('SKILL_GATES_USAGE', `this is no session id: ${named}`)
  return [session]
}

/** @returns undefined when the session has no record */
function readReport(paths: StatePaths, session: SessionId): SessionReport | undefined {
  try {
    const record = readRecord(paths, session)
    return record && reportOf(record, unwatchedCalls(paths, record))
  } catch (error) {
    if (!(error instanceof GateError)) throw error
    return brokenReport(session, { at: '-', code: error.code, why: messageOf(error) })
  }
}

const jsonOf = (reports: readonly SessionReport[]) => ({
  sessions: reports.map(({ session, gates }) => ({ session, gates })),
})
