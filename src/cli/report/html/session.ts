/** One session of the page: its timeline with the files of each block, its counts, and what went wrong. */

import { fixOf } from '../../../core/errors.ts'
import { COUNT_NAMES, isErrored, type SessionReport } from '../counts.ts'
import type { KeptFile } from '../kept-files.ts'
import { minuteOf } from '../minute.ts'
import type { Timeline, TimelineEvent } from '../timeline.ts'
import { html, NOTHING, type Markup } from './markup.ts'
import { renderKept } from './kept.ts'
import { renderStrip } from './strip.ts'
import { wordsOf } from './words.ts'

export interface SessionFacts {
  readonly report: SessionReport
  readonly timeline: Timeline
  readonly kept: readonly KeptFile[]
}

export function renderSession({ report, timeline, kept }: SessionFacts): Markup {
  const { session, updatedAt } = report
  const { byEvent, others } = assignKept(timeline.events, kept)
  const anchorOf = (at: number): string => `${session}-${String(at + 1)}`
  const hasSeveralGates = new Set(timeline.events.map(({ hook }) => hook)).size > 1
  return html`<article class="session ${isErrored(report) ? 'wrong' : 'well'}" id="${session}">
    <header>
      <h2>${session}</h2>
      <span class="quiet">${updatedAt === undefined ? '' : `last decision ${minuteOf(updatedAt)}`}</span>
    </header>
    ${timeline.events.length > 1 ? renderStrip(timeline.events, anchorOf) : NOTHING}
    ${timeline.isCut ? html`<p class="quiet">The trace log was rotated since: earlier blocks are counted, not shown.</p>` : NOTHING}
    <ol class="events">
      ${timeline.events.map((event, at) =>
        renderEvent(event, {
          anchor: anchorOf(at),
          day: dayChange(timeline.events, at),
          gate: hasSeveralGates ? event.hook : undefined,
          kept: byEvent.get(event) ?? [],
        }),
      )}
    </ol>
    ${
      others.length === 0
        ? NOTHING
        : html`<h3>Other kept copies</h3>
            ${others.map(renderKept)}`
    }
    ${renderErrors(report)} ${renderCounts(report)}
  </article>`
}

/**
 * Which copies each block made: copies are noted during a pass and the pass's marker follows, so the first block that is
 * no earlier has made them.
 */
function assignKept(events: readonly TimelineEvent[], kept: readonly KeptFile[]) {
  const blocks = events.filter(({ event, hook }) => event === 'blocked' && hook === 'investigate-gate')
  const byEvent = new Map<TimelineEvent, KeptFile[]>()
  const others: KeptFile[] = []
  for (const file of kept) {
    const ageMs = (block: TimelineEvent) => Date.parse(block.at) - Date.parse(file.at)
    const block = blocks.find((each) => ageMs(each) >= 0 && ageMs(each) <= LONGEST_PASS_MS)
    if (block === undefined) others.push(file)
    else byEvent.set(block, [...(byEvent.get(block) ?? []), file])
  }
  return { byEvent, others }
}

/** The longest deadline of a hook, and what it takes to answer. */
const LONGEST_PASS_MS = 25_000

function renderEvent(
  event: TimelineEvent,
  about: { anchor: string; day: string | undefined; gate: string | undefined; kept: readonly KeptFile[] },
): Markup {
  const { title, detail } = wordsOf(event)
  const { anchor, day, gate, kept } = about
  return html`${day === undefined ? NOTHING : html`<li class="day">${day}, UTC</li>`}
    <li class="${event.event}" id="${anchor}">
      <time datetime="${event.at}">${event.at.slice(11, 19)}</time>
      <div>
        <b>${title}</b>
        <span class="detail">${detail}</span>
        ${gate === undefined ? NOTHING : html`<span class="gate">${gate}</span>`} ${kept.map(renderKept)}
      </div>
    </li>`
}

/** The date, at the first event and where it changes. */
function dayChange(events: readonly TimelineEvent[], at: number): string | undefined {
  const day = events[at]?.at.slice(0, 10)
  return day === events[at - 1]?.at.slice(0, 10) ? undefined : day
}

function renderErrors({ gates, errors, skipped }: SessionReport): Markup {
  const unchecked = Object.entries(gates).filter(([, counts]) => counts.unchecked > 0)
  if (unchecked.length + errors.length + skipped.length === 0) return NOTHING
  return html`<h3>What went wrong</h3>
    <ul class="errors">
      ${unchecked.map(([hook, counts]) => html`<li><b>${counts.unchecked}</b> ${counts.unchecked === 1 ? 'call or stop' : 'calls or stops'} of ${hook} went through unchecked</li>`)}
      ${skipped.map(({ hook, reason }) => html`<li>${hook} did not arm: ${reason}</li>`)}
      ${errors.map(
        ({ at, hook, code, why }) =>
          html`<li>
            <b>${code}</b> <span class="quiet">${at.slice(0, 19).replace('T', ' ')} ${hook}</span><br />${why}
            <p>${fixOf(code) ?? ''}</p>
          </li>`,
      )}
    </ul>`
}

function renderCounts({ gates }: SessionReport): Markup {
  const rows = Object.entries(gates)
  if (rows.length === 0) return NOTHING
  return html`<div class="scroll" tabindex="0" role="region" aria-label="Counts">
    <table>
      <thead>
        <tr>
          <th scope="col">gate</th>
          ${COUNT_NAMES.map((name) => html`<th scope="col">${name}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([hook, counts]) =>
            html`<tr>
              <th scope="row">${hook}</th>
              ${COUNT_NAMES.map((name) => html`<td class="${cellClass(name, counts[name])}">${counts[name]}</td>`)}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`
}

function cellClass(name: string, count: number): string {
  if (count === 0) return 'zero'
  return name === 'unchecked' || name === 'errors' ? 'wrong' : 'some'
}
