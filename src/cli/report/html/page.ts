/** The report as one page that needs nothing but itself: no network, no fonts, and it can be read without its script. */

import { createHash } from 'node:crypto'
import { toSessionId } from '../../../core/ids.ts'
import { sessionDirOf, type StatePaths } from '../../../store/paths.ts'
import { readRecord } from '../../../store/record.ts'
import { isErrored, totalsOf, type GateCounts, type SessionReport } from '../counts.ts'
import { readKeptFiles } from '../kept-files.ts'
import { minuteOf } from '../minute.ts'
import { readMarkers, timelineOf } from '../timeline.ts'
import { html, NOTHING, type Markup } from './markup.ts'
import script from './page.browser.js' with { type: 'text' }
import style from './page.css' with { type: 'text' }
import template from './page.html' with { type: 'text' }
import { renderSession } from './session.ts'

export interface PageFacts {
  readonly reports: readonly SessionReport[]
  readonly paths: StatePaths
  readonly since: Date | undefined
  readonly now: Date
  readonly version: string
}

/** @returns the file's whole text; sessions newest first */
export function pageOf(facts: PageFacts): string {
  const { reports, paths, since, now, version } = facts
  const markers = readMarkers(paths)
  const newestFirst = [...reports].sort((a, b) => (b.updatedAt ?? '~').localeCompare(a.updatedAt ?? '~'))
  const parts: Readonly<Record<string, Markup>> = {
    policy: html`${policyOf()}`,
    style: { markup: `<style>\n${style}</style>` },
    script: { markup: `<script>${script}</script>` },
    subtitle: html`${since === undefined ? 'Every recorded session' : `Sessions since ${minuteOf(since.toISOString())}`},
    as of ${minuteOf(now.toISOString())}.`,
    tiles: tilesOf(reports),
    sessions:
      reports.length === 0
        ? html`<p>No session is recorded.</p>`
        : { markup: newestFirst.map((report) => sessionMarkup(report, paths, markers).markup).join('\n') },
    footer: html`gstack-skill-gates ${version}. Records and copies lie in <code>${paths.sessions}</code>.`,
  }
  return template.replaceAll(/\{\{(\w+)\}\}/g, (_, name: string) => (parts[name] ?? NOTHING).markup)
}

function sessionMarkup(
  report: SessionReport,
  paths: StatePaths,
  markers: ReturnType<typeof readMarkers>,
): Markup {
  const session = toSessionId(report.session)
  // A record that cannot be read has no time, and nothing but its error to show.
  const record =
    session === undefined || report.updatedAt === undefined ? undefined : readRecord(paths, session)
  if (session === undefined || record === undefined)
    return renderSession({ report, timeline: { events: [], isCut: false }, kept: [] })
  const kept = readKeptFiles(sessionDirOf(paths, session))
  return renderSession({ report, timeline: timelineOf(record, markers), kept })
}

/** Nothing is loaded from anywhere; the one script is known by its digest. */
function policyOf(): string {
  const digest = createHash('sha256').update(script).digest('base64')
  return `default-src 'none'; style-src 'unsafe-inline'; script-src 'sha256-${digest}'; base-uri 'none'; form-action 'none'`
}

const TILES: readonly (readonly [name: keyof GateCounts, title: string])[] = [
  ['blocked', 'blocked'],
  ['released', 'released'],
  ['observed', 'observed'],
  ['unchecked', 'unchecked calls'],
  ['errors', 'errors'],
]

function tilesOf(reports: readonly SessionReport[]): Markup {
  const totals = Object.values(totalsOf(reports))
  const broken = reports.filter(({ updatedAt }) => updatedAt === undefined).length
  const tiles = TILES.map(([name, title]) => {
    const count = totals.reduce((sum, counts) => sum + counts[name], name === 'errors' ? broken : 0)
    const isWrong = count > 0 && (name === 'unchecked' || name === 'errors')
    return html`<li class="${isWrong ? 'wrong' : 'well'}"><b>${count}</b>${title}</li>`
  })
  const wrong = reports.filter(isErrored).length
  return html`<li>
      <b>${reports.length}</b
      >${reports.length === 1 ? 'session' : 'sessions'}${wrong > 0 ? `, ${String(wrong)} in error` : ''}
    </li>
    ${tiles}`
}
