/** `gstack-skill-gates doctor`: would the hooks work if the client called them now, and did they lately? */

import type { CommandCall } from '../command.ts'
import { paintFor, type Paint } from '../paint.ts'
import type { Finding } from './finding.ts'
import { checkCalls } from './hook-calls.ts'
import { checkNode, checkStateRoot } from './machine.ts'
import { checkRecentSessions } from './recent-sessions.ts'
import { checkRegistrations } from './registrations.ts'
import { checkSecondRegistrations } from './second-registrations.ts'

/** @returns 1 when there is a problem, else 0 */
export async function doctor({ context, options }: CommandCall): Promise<number> {
  const { findings, registered } = checkRegistrations(context)
  const all = [
    ...findings,
    ...checkSecondRegistrations(context, new Date()),
    ...checkStateRoot(context),
    ...(await checkNode(context)),
    ...(await checkCalls(registered, context)),
    ...checkRecentSessions(context, new Date()),
  ]
  const isWell = !all.some(({ status }) => status === 'problem')
  if (options['json'] === true)
    context.stdout(`${JSON.stringify({ ok: isWell, findings: all }, undefined, 2)}\n`)
  else context.stdout(formatFindings(all, paintFor(context)))
  return isWell ? 0 : 1
}

function formatFindings(findings: readonly Finding[], paint: Paint): string {
  const width = Math.max(...findings.map(({ check }) => check.length))
  const status = { ok: paint.good('ok     '), note: paint.dim('note   '), problem: paint.bad('problem') }
  const lines = findings.flatMap((finding) => {
    const line = `${status[finding.status]}  ${finding.check.padEnd(width)}  ${finding.found}`
    return finding.status === 'problem' ? [line, `${' '.repeat(width + 11)}${finding.fix}`] : [line]
  })
  const problems = findings.filter(({ status: word }) => word === 'problem').length
  return [...lines, '', problems === 0 ? 'all is well' : `${String(problems)} to look at`, ''].join('\n')
}
