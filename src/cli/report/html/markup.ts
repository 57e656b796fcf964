/** Markup that cannot hold what it was not meant to: whatever is put into a template is escaped, unless it is markup itself. */

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

const UNSEEN =
  // eslint-disable-next-line no-control-regex -- control characters are what is looked for
  /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069]/g

/** Control characters, and marks that turn the writing direction around, are shown as `\x1b` and not obeyed. */
const escapeText = (text: string): string =>
  text
    .toWellFormed()
    .replaceAll(UNSEEN, showCharacter)
    .replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? '')

function showCharacter(character: string): string {
  const code = character.charCodeAt(0)
  return code <= 0xff ? `\\x${code.toString(16).padStart(2, '0')}` : `\\u${code.toString(16)}`
}
