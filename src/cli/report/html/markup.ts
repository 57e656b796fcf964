/** Markup that cannot hold what it was not meant to: whatever is put into a template is escaped, unless it is markup itself. */

import { printable } from '../../../core/printable.ts'

export interface Markup {
  readonly markup: string
}

type Slot = Markup | string | number | readonly Markup[]

/** As in html`<td>${name}</td>`. Text is escaped for content and for attributes in double quotes alike. */
export function html(parts: TemplateStringsArray, ...slots: readonly Slot[]): Markup {
  return {
    markup: parts.map((part, at) => (at === 0 ? part : renderSlot(slots[at - 1] ?? '') + part)).join(''),
  }
}

export const NOTHING: Markup = { markup: '' }

function renderSlot(slot: Slot): string {
  if (typeof slot === 'string') return escapeText(slot)
  if (typeof slot === 'number') return String(slot)
  return 'markup' in slot ? slot.markup : slot.map(({ markup }) => markup).join('')
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Control characters, and marks that turn the writing direction around, are shown and not obeyed. */
const escapeText = (text: string): string =>
  printable(text.toWellFormed()).replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
