/** Hooks of the last days that were killed, cancelled, went through unchecked, or ended in an error. */

import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ERROR_CODES, fixOf, GateError, messageOf } from '../../core/errors.ts'
import type { SessionId } from '../../core/ids.ts'
import { parseHookCommand } from '../../core/registration.ts'
import { readRegularFile } from '../../native/regular-file.ts'
import { namesIn } from '../../store/folder.ts'
import { findDeadPasses } from '../../store/in-flight.ts'
import { claudeConfigDir, statePathsFrom, type StatePaths } from '../../store/paths.ts'
import { listSessions, readRecord } from '../../store/record.ts'
import type { CliContext } from '../command.ts'
import { brokenReport, isErrored, reportOf, type SessionReport } from '../report/counts.ts'
import { countOf, ok, problem, type Finding } from './finding.ts'

const LOOK_BACK_MS = 7 * 24 * 3_600_000
const MOST_SESSIONS = 10
const LONGEST_TRANSCRIPT_BYTES = 32 * 1024 * 1024
/** Hooks that have no record but a log line for each decision. */
const LOGS = ['skill-route', 'skill-contract'] as const

export function checkRecentSessions({ env, home }: CliContext, now: Date): Finding[] {
  const paths = statePathsFrom(env, home)
  const since = new Date(now.getTime() - LOOK_BACK_MS)
  const findings = [
    ...findDeadPasses(paths).map(({ mark }) =>
      problem(
        mark.hook,
        `a ${mark.event} call of session ${mark.session} was killed`,
        ERROR_CODES.GATE_KILLED.fix,
      ),
    ),
    ...lastReports(paths, since).filter(isErrored).map(findingOfReport),
    ...LOGS.flatMap((log) => checkLog(paths, log, since)),
    ...lastTranscripts(join(claudeConfigDir(env, home), 'projects'), since).flatMap(checkTranscript),
  ]
  return findings.length > 0
    ? findings
    : [ok('sessions', 'no hook of the last seven days was killed, cancelled, unchecked or in error')]
}

/** Newest first. */
function lastReports(paths: StatePaths, since: Date): SessionReport[] {
  return listSessions(paths)
    .flatMap((session) => readReport(paths, session) ?? [])
    .filter(({ at }) => at >= since.toISOString())
    .sort((a, b) => b.at.localeCompare(a.at))
    .slice(0, MOST_SESSIONS)
    .map(({ report }) => report)
}

function readReport(
  paths: StatePaths,
  session: SessionId,
): { at: string; report: SessionReport } | undefined {
  try {
    const record = readRecord(paths, session)
    return record && { at: record.updated_at, report: reportOf(record) }
  } catch (error) {
    if (!(error instanceof GateError)) throw error
    const at = statSync(join(paths.sessions, session)).mtime.toISOString()
    return { at, report: brokenReport(session, { at, code: error.code, why: messageOf(error) }) }
  }
}

function findingOfReport({ session, gates, errors }: SessionReport): Finding {
  const newest = errors.at(-1)
  const unchecked = Object.values(gates).reduce((sum, gate) => sum + gate.unchecked, 0)
  const told = [
    ...(unchecked > 0 ? [`${countOf(unchecked, 'call')} unchecked`] : []),
    ...(newest === undefined
      ? []
      : [`${countOf(errors.length, 'error')}, the newest ${newest.code}: ${newest.why}`]),
  ]
  const found = `session ${session}: ${told.join(', ')}`
  const fix = newest === undefined ? undefined : fixOf(newest.code)
  return problem('sessions', found, fix ?? `See gstack-skill-gates report --session ${session}.`)
}

function checkLog(paths: StatePaths, log: string, since: Date): Finding[] {
  const file = join(paths.logs, `${log}.log`)
  const errors = (readRegularFile(file)?.toString('utf8') ?? '')
    .split('\n')
    .filter((line) => line.includes(' event=error ') && line >= since.toISOString())
  const newest = errors.at(-1)
  if (newest === undefined) return []
  return [
    problem(
      log,
      `${countOf(errors.length, 'error')} in ${file}, the newest: ${newest}`,
      'The line names what failed.',
    ),
  ]
}

/** Main transcripts, newest first. */
function lastTranscripts(projects: string, since: Date): string[] {
  return namesIn(projects)
    .flatMap((project) => namesIn(join(projects, project)).map((name) => join(projects, project, name)))
    .filter((path) => path.endsWith('.jsonl'))
    .map((path) => ({ path, stat: statSync(path) }))
    .filter(({ stat }) => stat.mtime >= since && stat.size <= LONGEST_TRANSCRIPT_BYTES)
    .sort((a, b) => b.stat.mtimeMs - a.stat.mtimeMs)
    .slice(0, MOST_SESSIONS)
    .map(({ path }) => path)
}

/** The client notes a hook that it cancelled, with the command where it knows it. */
function checkTranscript(path: string): Finding[] {
  const cancelled = readFileSync(path, 'utf8')
    .split('\n')
    .filter((line) => line.includes('"hook_cancelled"'))
    .flatMap((line) => hookOfRecord(line) ?? [])
  const [first] = cancelled
  if (first === undefined) return []
  const found = `the client cancelled ${countOf(cancelled.length, 'call')}, the first of ${first}, in ${path}`
  return [problem('sessions', found, ERROR_CODES.GATE_KILLED.fix)]
}

function hookOfRecord(line: string): string | undefined {
  const command = (parseLine(line) as { attachment?: { command?: unknown } } | undefined)?.attachment?.command
  return typeof command === 'string' ? parseHookCommand(command)?.hook : undefined
}

function parseLine(line: string): unknown {
  try {
    return JSON.parse(line)
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}
