import type { KeptFile } from '../kept-files.ts'
import { html, NOTHING, type Markup } from './markup.ts'

/** Longer differences are cut; the copy has the rest. */
const MOST_LINES = 500

/** A kept copy, folded to its name until it is opened. */
export function renderKept({ path, root, copy, difference }: KeptFile): Markup {
  if (difference.kind === 'none')
    return html`<details>
      <summary><span class="path">${path}</span> <span class="quiet">${difference.why}</span></summary>
      ${place(root, copy)}
    </details>`

  const { lines } = difference
  const shown = lines.slice(0, MOST_LINES)
  const count = (sign: string): number => lines.filter((line) => line.startsWith(sign)).length
  return html`<details>
    <summary>
      <span class="path">${path}</span> <span class="added">+${count('+')}</span>
      <span class="removed">-${count('-')}</span>
    </summary>
    <pre tabindex="0">${shown.map(renderLine)}</pre>
    ${shown.length < lines.length ? html`<p>and ${lines.length - shown.length} more lines</p>` : NOTHING}
    ${place(root, copy)}
  </details>`
}

const place = (root: string, copy: string): Markup =>
  html`<p>in ${root}; what it held is kept in <code>${copy}</code></p>`

function renderLine(line: string): Markup {
  if (line.startsWith('+')) return html`<ins>${line}</ins>`
  if (line.startsWith('-')) return html`<del>${line}</del>`
  return line.startsWith('@@') ? html`<span class="hunk">${line}</span>` : html`<span>${line}</span>`
}
