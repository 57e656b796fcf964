import type { TimelineEvent } from '../timeline.ts'
import { html, type Markup } from './markup.ts'
import { wordsOf } from './words.ts'

const WIDTH = 1000
const MARGIN = 12
const GAP = 18

/** Where in the session's time its events lie; each dot leads to its line below. */
export function renderStrip(events: readonly TimelineEvent[], anchorOf: (at: number) => string): Markup {
  const places = placesOf(events.map(({ at }) => Date.parse(at)))
  const dots = events.map((event, at) => {
    const { title, detail } = wordsOf(event)
    return html`<a href="#${anchorOf(at)}" class="${event.event}" tabindex="-1"
      ><circle cx="${places[at] ?? 0}" cy="18" r="7"
        ><title>${`${event.at.slice(11, 19)} ${title} ${detail}`}</title></circle
      ></a
    >`
  })
  return html`<svg class="strip" viewBox="0 0 ${WIDTH} 36" aria-hidden="true">
    <line x1="${MARGIN}" y1="18" x2="${WIDTH - MARGIN}" y2="18" />
    ${dots}
  </svg>`
}

/** In proportion to time, but never so close that one dot hides the other, as far as there is room. */
function placesOf(times: readonly number[]): number[] {
  const [first = 0, last = 0] = [times[0], times.at(-1)]
  const room = WIDTH - 2 * MARGIN
  const gap = Math.min(GAP, room / Math.max(1, times.length - 1))
  const places: number[] = []
  times.forEach((time, at) => {
    const share = last === first ? 0 : (time - first) / (last - first)
    const latest = WIDTH - MARGIN - (times.length - 1 - at) * gap
    places.push(
      Math.round(Math.min(latest, Math.max(MARGIN + share * room, (places[at - 1] ?? -Infinity) + gap))),
    )
  })
  return places
}
